/**
 * RIST over two ways, with another company's tool at the far end: one way is cut for five seconds
 * of the stream while the other one loses 2 %, then comes back and carries alone. All kinds run at
 * once; each test is one of them.
 */
import {
  freeUdpPort,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type {
  ProgramReport,
  ProgramSpec,
  RistLeg,
} from '@trunkline/contract/agent/program.messages'
import type { PathReading } from '@trunkline/contract/fleet/reading.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWNER, PASSPHRASE, startTool } from './link-matrix.fixture.ts'
import {
  DATAGRAM_BYTES,
  openSink,
  startStream,
  type Sink,
  type SteadyStream,
} from '../encoder-streams/steady-stream.ts'
import { openRelay, type UdpRelay } from './udp-relay.ts'

const RATE_KBPS = 1000
const BUFFER_MS = 3000
const SECOND_DATAGRAMS = Math.round((RATE_KBPS * 1000) / 8 / DATAGRAM_BYTES)
const CUT_SECONDS = 5
const LOSS_PERCENT = 2

interface Kind {
  name: string
  profile: 'main' | 'simple'
  bits: 0 | 128 | 256
  /** Where the far end waits: for both ways at one port, or at one for each. */
  farPorts: 1 | 2
  isInput: boolean
}

const KINDS: readonly Kind[] = [
  { name: 'Main, one far port', profile: 'main', bits: 0, farPorts: 1, isInput: false },
  { name: 'Main, 128, two far ports', profile: 'main', bits: 128, farPorts: 2, isInput: false },
  { name: 'Main, 256, one far port', profile: 'main', bits: 256, farPorts: 1, isInput: false },
  { name: 'Simple, one far port', profile: 'simple', bits: 0, farPorts: 1, isInput: false },
  { name: 'Main, 256, an input', profile: 'main', bits: 256, farPorts: 1, isInput: true },
]

interface Life {
  cutErrors: number
  afterErrors: number
  lostOnWire: number
  silent: ProgramReport
  back: ProgramReport
}

let agent: TestAgent
let stream: SteadyStream
const lives = new Map<string, Promise<Life>>()
let aloneErrors: Promise<number>
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
  stream = await startStream(RATE_KBPS, await freeUdpPort())
  for (const kind of KINDS) lives.set(kind.name, liveOf(kind))
  aloneErrors = errorsOnOnePath()
  await Promise.allSettled([...lives.values(), aloneErrors])
})
afterAll(async () => {
  stream[Symbol.dispose]()
  await agent[Symbol.asyncDispose]()
})

interface Ways extends AsyncDisposable {
  programId: string
  sink: Sink
  first: Way
  second: Way
}

/** Simple has a port more for its control packets. */
class Way {
  readonly #relays: readonly UdpRelay[]

  constructor(relays: readonly UdpRelay[]) {
    this.#relays = relays
  }

  cut(isCut: boolean): void {
    for (const relay of this.#relays) relay.isCut = isCut
  }

  lose(percent: number): void {
    for (const relay of this.#relays) relay.lossPercent = percent
  }

  get lost(): number {
    return this.#relays.reduce((sum, relay) => sum + relay.lost, 0)
  }

  get port(): number {
    return this.#relays[0]?.port ?? 0
  }

  async close(): Promise<void> {
    await Promise.all(this.#relays.map(async (relay) => relay[Symbol.asyncDispose]()))
  }
}

async function openWay(kind: Kind, toPort: number): Promise<Way> {
  const port = await freeUdpPort()
  const both = kind.profile === 'simple' ? [0, 1] : [0]
  return new Way(await Promise.all(both.map(async (add) => openRelay(port + add, toPort + add))))
}

async function openWays(kind: Kind): Promise<Ways> {
  const sink = await openSink()
  const [farPort, otherPort] = [await freeUdpPort(), await freeUdpPort()]
  const farPorts = kind.farPorts === 1 ? [farPort] : [farPort, otherPort]
  const first = await openWay(kind, farPort)
  const second = await openWay(kind, farPorts.at(-1) ?? farPort)
  const programId = `paths-${farPort}`
  const ends = { sinkPort: sink.port, farPorts, ways: [first.port, second.port] }
  const far = startTool(farCommand(kind, ends))
  const spec = kind.isInput ? inputSpec(kind, ends) : outputSpec(kind, ends)
  await programService.apply(agent.ctx, OWNER, {
    programId,
    revision: 'r1',
    wanted: 'running',
    spec,
  })
  return {
    programId,
    sink,
    first,
    second,
    async [Symbol.asyncDispose]() {
      await programService.remove(agent.ctx, OWNER, programId)
      await far[Symbol.asyncDispose]()
      await Promise.all([first.close(), second.close(), sink[Symbol.asyncDispose]()])
    },
  }
}

interface Ends {
  sinkPort: number
  farPorts: readonly number[]
  ways: readonly number[]
}

function legOf(kind: Kind, port: number): RistLeg {
  return {
    protocol: 'rist',
    mode: kind.isInput ? 'listen' : 'call',
    host: kind.isInput ? '' : '127.0.0.1',
    port,
    adapterIp: '',
    key: kind.bits === 0 ? null : { passphrase: PASSPHRASE, bits: kind.bits },
    profile: kind.profile,
    bufferMs: BUFFER_MS,
    bandwidthKbps: 100_000,
    reorderBufferMs: null,
    rttMinMs: null,
    statIntervalMs: 500,
  }
}

function outputSpec(kind: Kind, { ways: [first = 0, second = 0] }: Ends): ProgramSpec {
  const secondPath = { host: '127.0.0.1', port: second, adapterIp: '' }
  const outer = { ...legOf(kind, first), secondPath }
  return { kind: 'sender', local: { ip: stream.ip, port: stream.port, ttl: 1 }, outer }
}

function inputSpec(kind: Kind, { sinkPort, farPorts: [port = 0] }: Ends): ProgramSpec {
  const local = { ip: '127.0.0.1', port: sinkPort, ttl: 1 }
  return { kind: 'receiver', local, outer: legOf(kind, port) }
}

function farCommand(kind: Kind, { sinkPort, farPorts, ways }: Ends): string[] {
  const key = kind.bits === 0 ? '' : `&secret=${PASSPHRASE}&aes-type=${kind.bits}`
  const profile = ['-p', kind.profile === 'main' ? '1' : '0']
  if (kind.isInput) {
    const to = ways.map((port) => `rist://127.0.0.1:${port}?buffer=${BUFFER_MS}&weight=0${key}`)
    const from = `udp://${stream.ip}:${stream.port}?miface=lo`
    return ['ristsender', ...profile, '-i', from, '-o', to.join(',')]
  }
  const from = farPorts.map((port) => `rist://@127.0.0.1:${port}?buffer=${BUFFER_MS}${key}`)
  return ['ristreceiver', ...profile, '-i', from.join(','), '-o', `udp://127.0.0.1:${sinkPort}`]
}

function pathsOf(report: ProgramReport): readonly PathReading[] {
  return report.reading?.kind === 'link' ? (report.reading.paths ?? []) : []
}

function areAlive(report: ProgramReport, wanted: readonly boolean[]): boolean {
  const found = pathsOf(report).map((path) => path.isAlive)
  return found.length === wanted.length && found.every((item, at) => item === wanted[at])
}

/** As the ways came in: an input's first one may be either. */
function isOnePathAlive(report: ProgramReport): boolean {
  return areAlive(report, [true, false]) || areAlive(report, [false, true])
}

async function liveOf(kind: Kind): Promise<Life> {
  await using ways = await openWays(kind)
  const { sink, first, second, programId } = ways
  // The tool calls a far end gone that a starved machine kept from speaking for 300 ms.
  const until = async (isSo: (report: ProgramReport) => boolean) =>
    untilReport(agent.ctx, programId, (report) => report.peer === 'connected' && isSo(report))
  await until((report) => areAlive(report, [true, true]))
  await sink.until(SECOND_DATAGRAMS)
  second.lose(LOSS_PERCENT)
  sink.empty()
  first.cut(true)
  await sink.until(CUT_SECONDS * SECOND_DATAGRAMS)
  const silent = await until(isOnePathAlive)
  first.cut(false)
  await until((report) => areAlive(report, [true, true]))
  await sink.until(2 * CUT_SECONDS * SECOND_DATAGRAMS)
  const cutErrors = sink.continuityErrors

  second.cut(true)
  sink.empty()
  await until(isOnePathAlive)
  await sink.until(3 * SECOND_DATAGRAMS)
  const afterErrors = sink.continuityErrors
  second.cut(false)
  const back = await until((report) => areAlive(report, [true, true]))
  return { cutErrors, afterErrors, lostOnWire: second.lost, silent, back }
}

/** The same cut without a second way, so that the count is known to count. */
async function errorsOnOnePath(): Promise<number> {
  const kind: Kind = { name: '', profile: 'main', bits: 0, farPorts: 1, isInput: false }
  await using ways = await openWays(kind)
  await using whole = await openWays(kind)
  const { sink, first, second, programId } = ways
  await untilReport(agent.ctx, programId, (report) => areAlive(report, [true, true]))
  second.cut(true)
  await untilReport(agent.ctx, programId, isOnePathAlive)
  await sink.until(SECOND_DATAGRAMS)
  sink.empty()
  first.cut(true)
  await untilReport(agent.ctx, programId, (report) => report.peer === 'disconnected')
  await whole.sink.until(whole.sink.datagrams + CUT_SECONDS * SECOND_DATAGRAMS)
  first.cut(false)
  await untilReport(agent.ctx, programId, (report) => report.peer === 'connected')
  await sink.until(sink.datagrams + SECOND_DATAGRAMS)
  return sink.continuityErrors
}

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  'two paths, one cut for 5 s, the other losing 2 of 100, without a gap: %s',
  async (name, kind) => {
    const life = await lives.get(name)
    if (!life) throw new Error('It did not run.')
    const saved = pathsOf(life.back).map((path) => path.savedPackets)
    process.stdout.write(
      `RIST over two ways, ${name}: continuity errors ${life.cutErrors} during the cut, ` +
        `${life.afterErrors} on the way that came back; ${life.lostOnWire} datagrams lost on the wire; ` +
        `saved by the first ${saved[0]}, by the second ${saved[1]}\n`,
    )
    expect(life.cutErrors).toBe(0)
    expect(life.afterErrors).toBe(0)
    expect(life.lostOnWire).toBeGreaterThan(0)
    // Each has carried alone once.
    expect(Math.min(...saved)).toBeGreaterThan(0)
    // An input counts its ways as they came.
    const silentPath = kind.isInput ? '(first|second)' : 'first'
    expect(life.silent.cause).toMatch(
      new RegExp(`^The ${silentPath} path \\(127\\.0\\.0\\.1(:\\d+)?\\) is silent\\.$`),
    )
    expect(life.back.cause).toBe('')
  },
)

test('without a second path the same cut is a gap', async () => {
  expect(await aloneErrors).toBeGreaterThan(0)
})
