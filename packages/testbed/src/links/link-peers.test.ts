/**
 * What both ends of a link tell of each other once they are connected, with the real tools: address,
 * latency, encryption, version. What a tool does not report stays empty.
 */
import {
  eventually,
  freeUdpPort,
  LIFE_LIMIT_MS,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { Leg, ProgramSpec, SrtLeg } from '@trunkline/contract/agent/program.messages'
import type { PeerFacts } from '@trunkline/contract/fleet/observed.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LinkKind, outerLeg, OWNER, PASSPHRASE } from './link-matrix.fixture.ts'
import { openSink, startStream, type SteadyStream } from '../encoder-streams/steady-stream.ts'

const LOCAL_ADDRESS = /^127\.0\.0\.1:\d+$/

let agent: TestAgent
let stream: SteadyStream
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
  stream = await startStream(4500, await freeUdpPort())
})
afterAll(async () => {
  stream[Symbol.dispose]()
  await agent[Symbol.asyncDispose]()
})

interface Link extends AsyncDisposable {
  sender: string
  receiver: string
  control(programId: string, command: 'start' | 'stop' | 'restart'): Promise<void>
}

type Ends = Record<'send' | 'receive', Leg>

/** Both ends are ours. */
async function openLink(port: number, ends: Ends): Promise<Link> {
  const sink = await openSink()
  const [sender, receiver] = [`output-${port}`, `input-${port}`]
  const apply = async (programId: string, spec: ProgramSpec) =>
    programService.apply(agent.ctx, OWNER, { programId, revision: 'r1', wanted: 'running', spec })
  const bus = { ip: stream.ip, port: stream.port, ttl: 1 }
  const away = { ip: '127.0.0.1', port: sink.port, ttl: 1 }
  await apply(receiver, { kind: 'receiver', local: away, outer: ends.receive })
  await apply(sender, { kind: 'sender', local: bus, outer: ends.send })
  return {
    sender,
    receiver,
    async control(programId, command) {
      await programService.control(agent.ctx, OWNER, { programId, command })
    },
    async [Symbol.asyncDispose]() {
      for (const id of [sender, receiver]) await programService.remove(agent.ctx, OWNER, id)
      await sink[Symbol.asyncDispose]()
    },
  }
}

function leg(protocol: LinkKind['protocol'], calls: boolean, port: number): Leg {
  return outerLeg({ protocol, place: 'output', mode: calls ? 'Push' : 'Listen', bits: 0 }, port)
}

function srt(calls: boolean, port: number, more: Partial<SrtLeg>): Leg {
  const outer = leg('SRT', calls, port)
  return outer.protocol === 'srt' ? { ...outer, ...more } : outer
}

async function factsOf(
  programId: string,
  isWhole: (facts: PeerFacts) => boolean,
): Promise<PeerFacts> {
  const { observed } = await untilReport(agent.ctx, programId, (report) => {
    const facts = report.observed?.peerFacts ?? null
    return facts !== null && isWhole(facts)
  })
  if (!observed?.peerFacts) throw new Error(`${programId} tells nothing of its peer.`)
  return observed.peerFacts
}

const hasLatency = ({ latencyMs, address }: PeerFacts) => latencyMs !== null && address !== ''
const KEY = { passphrase: PASSPHRASE, bits: 256 } as const

test('CON-IN-26 CON-OUT-09 SRT: both ends of 80 and 200 ms show peer, 200 ms, key and version', async () => {
  const port = await freeUdpPort()
  await using link = await openLink(port, {
    receive: srt(false, port, { latencyMs: 80, key: KEY }),
    send: srt(true, port, { latencyMs: 200, key: KEY }),
  })
  const received = await factsOf(link.receiver, hasLatency)
  expect(received).toMatchObject({ latencyMs: 200, latencyOf: 'stream', encryption: 'AES-256' })
  expect(received.address).toMatch(LOCAL_ADDRESS)
  expect(received.srtVersion).toMatch(/^1\.\d+\.\d+$/)
  // A calling end does not get the peer's version, nor the latency of what it sends.
  expect(await factsOf(link.sender, hasLatency)).toMatchObject({
    address: `127.0.0.1:${port}`,
    latencyMs: 200,
    latencyOf: 'return',
    encryption: 'AES-256',
    srtVersion: '',
  })
})

test('CON-OUT-09 SRT: a listening sender shows what its receiver asks for, not its own setting', async () => {
  const port = await freeUdpPort()
  await using link = await openLink(port, {
    receive: srt(true, port, { latencyMs: 20, advanced: [{ key: 'rcvlatency', value: '200' }] }),
    send: srt(false, port, { latencyMs: 80, advanced: [] }),
  })
  const sent = await factsOf(link.sender, hasLatency)
  expect(sent).toMatchObject({ latencyMs: 200, latencyOf: 'stream', encryption: 'none' })
  expect(sent.address).toMatch(LOCAL_ADDRESS)
  expect(await factsOf(link.receiver, hasLatency)).toMatchObject({
    address: `127.0.0.1:${port}`,
    latencyMs: 200,
    encryption: 'none',
  })
})

test(
  'CON-IN-26 the facts of a peer survive an agent restart, end with the peer, and start again with the next peer',
  async () => {
    const port = await freeUdpPort()
    await using link = await openLink(port, {
      receive: srt(false, port, { latencyMs: 80, key: { ...KEY, bits: 128 } }),
      send: srt(true, port, { latencyMs: 200, key: { ...KEY, bits: 128 } }),
    })
    const first = await factsOf(link.receiver, hasLatency)
    expect(first).toMatchObject({ latencyMs: 200, encryption: 'AES-128' })
    await untilReport(agent.ctx, link.receiver, ({ state }) => state === 'running')
    await agent.restart()
    expect(await factsOf(link.receiver, hasLatency)).toEqual(first)

    await link.control(link.sender, 'stop')
    const gone = await untilReport(agent.ctx, link.receiver, ({ peer }) => peer === 'disconnected')
    expect(gone.observed?.peerFacts).toBeNull()

    await link.control(link.sender, 'start')
    const second = await factsOf(link.receiver, hasLatency)
    expect(second.address).not.toBe(first.address)
    expect(second.sinceMs).toBeGreaterThan(first.sinceMs)
  },
  LIFE_LIMIT_MS,
)

test.each(['RIST Main', 'RIST Simple'] as const)(
  'CON-IN-26 CON-OUT-09 %s: only the address is shown, which is what the tool reports',
  async (protocol) => {
    const port = await freeUdpPort()
    await using link = await openLink(port, {
      receive: leg(protocol, false, port),
      send: leg(protocol, true, port),
    })
    const unknown = { latencyMs: null, encryption: '', srtVersion: '' }
    await eventually(() => {
      expect(peerOf(link.receiver)).toMatchObject({ address: '127.0.0.1', ...unknown })
      expect(peerOf(link.sender)).toMatchObject({ address: `127.0.0.1:${port}`, ...unknown })
    })
  },
)

function peerOf(programId: string): PeerFacts | null | undefined {
  return programService.report(agent.ctx, programId)?.observed?.peerFacts
}

const DATED = /^(--- Started )?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z /

test.each(['SRT', 'RIST Main'] as const)(
  'DLG-12 Q75 %s: every line of both logs has its time, over a start of the agent too',
  async (protocol) => {
    const port = await freeUdpPort()
    await using link = await openLink(port, {
      receive: leg(protocol, false, port),
      send: leg(protocol, true, port),
    })
    await agent.restart()
    await link.control(link.sender, 'restart')
    for (const id of [link.sender, link.receiver]) {
      await untilReport(agent.ctx, id, ({ peer }) => peer === 'connected')
      const lines = programService.tail(agent.ctx, OWNER, id, 100)
      expect(lines.length).toBeGreaterThan(3)
      expect(lines.filter((line) => !DATED.test(line))).toEqual([])
      const times = lines.map((line) => Date.parse(/\d{4}-\S+Z/.exec(line)?.[0] ?? ''))
      expect(times.every((atMs) => Math.abs(atMs - Date.now()) < LIFE_LIMIT_MS)).toBe(true)
    }
  },
  LIFE_LIMIT_MS,
)
