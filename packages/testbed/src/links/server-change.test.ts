/**
 * An input with an output changes its server between two real agents while a real SRT sender's stream
 * goes through it: the old processes live until the new ones run, and lose nothing when those cannot.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  eventually,
  freeUdpPort,
  openTestAgent,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, CallFailed } from '../api-client.ts'
import {
  farTool,
  LATENCY_MS,
  startTool,
  type FarEnd,
  type LinkKind,
} from './link-matrix.fixture.ts'
import { openLinkSite, type LinkSite } from './link-site.ts'
import {
  openSink,
  startStream,
  type Sink,
  type SteadyStream,
} from '../encoder-streams/steady-stream.ts'

const RATE_KBPS = 500
const ENOUGH_DATAGRAMS = 50
const PLAIN = { passphrase: '', bits: 0 } as const
/** Both agents are on this machine, so nothing listens on either: one port is open once. */
const INPUT: LinkKind = { protocol: 'SRT', place: 'input', mode: 'Push', bits: 0 }
const OUTPUT: LinkKind = { protocol: 'SRT', place: 'output', mode: 'Push', bits: 0 }
/** One machine has a port open twice on two addresses of it; '' where there is loopback only. */
const OTHER_IP = ownAddress()
/** In the record of the second server, and on no machine. */
const MISSING_IP = '198.51.100.7'

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-move-'))
const farEnds: FarEnd[] = []
const ids: string[] = []
let site: LinkSite
let stream: SteadyStream
let sink: Sink
let newAgent: TestAgent
let newServerId: string

beforeAll(async () => {
  site = await openLinkSite({ dataDir, password: 'correct-horse-battery' })
  newAgent = await openTestAgent(['acants'])
  newServerId = await addSecondGateway()
  stream = await startStream(RATE_KBPS, await freeUdpPort())
  sink = await openSink()
  const farPort = await freeUdpPort()
  const away = { ip: '127.0.0.1', port: sink.port }
  farEnds.push(startTool(farTool(OUTPUT, { outerPort: farPort, local: away, key: PLAIN })))
  const port = await freeUdpPort()
  farEnds.push(startTool(farTool(INPUT, { outerPort: port, local: stream, key: PLAIN })))
  const config = { mode: 'Push' as const, host: '127.0.0.1', port, latency: LATENCY_MS }
  const inputId = await site.addInput({ title: 'Feed', inputType: 'SRT', config })
  const outputId = await site.addOutput({
    title: 'Hall',
    inputType: 'SRT',
    contributionId: inputId,
    config: { mode: 'Push', host: '127.0.0.1', port: farPort, latency: LATENCY_MS },
  })
  ids.push(inputId, outputId)
  await site.start('input', inputId)
  await site.start('output', outputId)
  await sink.until(ENOUGH_DATAGRAMS)
})
afterAll(async () => {
  await Promise.all(farEnds.map(async (end) => end.kill()))
  await site[Symbol.asyncDispose]()
  await newAgent[Symbol.asyncDispose]()
  stream[Symbol.dispose]()
  await sink[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(`${dataDir}.key`, { force: true })
})

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((item) => item ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? ''
}

async function addSecondGateway(): Promise<string> {
  const [seat] = newAgent.config.seats
  const { data } = await callApi(site.client, addServer, {
    body: {
      title: 'Second gateway',
      host: '127.0.0.1',
      port: seat?.port ?? 0,
      serverType: 'acants',
      apiKey: seat?.key ?? '',
      description: '',
      location: '',
      groupIds: [site.groupId],
      adapterIps: [
        { adapterName: 'lo', adapterIp: '127.0.0.1' },
        ...(OTHER_IP === '' ? [] : [{ adapterName: 'own', adapterIp: OTHER_IP }]),
        { adapterName: 'eth9', adapterIp: MISSING_IP },
      ],
    },
  })
  return data.id
}

async function pids(of: readonly string[] = ids): Promise<number[]> {
  const links = await site.links()
  return of.map((id) => links.find((link) => link.id === id)?.pid ?? 0)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function move(localIp: string, inputId = ids[0] ?? '') {
  return callApi(site.client, changeServer, {
    body: { newServerId, contributions: [inputId], localIp, keepOrDelete: '1' },
  })
}

test('CON-IN-38 a move that fails leaves every process as it is, and no packet is missing', async () => {
  const before = await pids()
  sink.empty()
  const failed = await move(MISSING_IP).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(CallFailed)
  const { httpStatus, failure } = failed as CallFailed
  expect([httpStatus, failure.failed?.length]).toEqual([502, 1])
  expect(failure.error).toContain('Feed could not be started on Second gateway')
  await sink.until(sink.datagrams + ENOUGH_DATAGRAMS)
  process.stdout.write(`move refused: ${sink.continuityErrors} continuity errors\n`)
  expect(sink.continuityErrors).toBe(0)
  expect(await pids()).toEqual(before)
  await eventually(() => expect(newAgent.ctx.board.all()).toEqual([]))
})

test('CON-IN-38 Q144 both run on the new server before the old processes end; the stream passes the new processes', async () => {
  const old = await pids()
  const whileNewRuns: boolean[][] = []
  const stop = newAgent.ctx.board.listen(() => {
    const running = newAgent.ctx.board.all().filter(({ state }) => state === 'running')
    if (running.length === ids.length && whileNewRuns.length === 0) {
      whileNewRuns.push(old.map(isAlive))
    }
  })
  const { moved, failed } = await move('')
  stop()
  expect([moved.length, failed]).toEqual([1, []])
  expect(whileNewRuns).toEqual([[true, true]])
  await eventually(() => expect(old.map(isAlive)).toEqual([false, false]))
  const present = await pids()
  expect(present.every((pid) => pid > 0 && !old.includes(pid))).toBe(true)

  sink.empty()
  await sink.until(ENOUGH_DATAGRAMS)
  expect(await pids()).toEqual(present)
})

/** An encoder's sender: it dials that address. */
function dial(ip: string, port: number): FarEnd {
  const caller = startTool([
    'srt-live-transmit',
    `udp://${stream.ip}:${stream.port}?adapter=127.0.0.1`,
    `srt://${ip}:${port}?mode=caller&latency=${LATENCY_MS}`,
  ])
  farEnds.push(caller)
  return caller
}

test.skipIf(OTHER_IP === '')(
  'CON-IN-38 decisions.md 32 a listening input: an address that the new host does not have leaves it alone; after the move its caller redials',
  async () => {
    await using hall = await openSink()
    const [port, farPort] = [await freeUdpPort(), await freeUdpPort()]
    const away = { ip: '127.0.0.1', port: hall.port }
    farEnds.push(startTool(farTool(OUTPUT, { outerPort: farPort, local: away, key: PLAIN })))
    const inputId = await site.addInput({
      title: 'Listening',
      inputType: 'SRT',
      config: { port, adapterIp: '127.0.0.1', latency: LATENCY_MS },
    })
    const outputId = await site.addOutput({
      title: 'To hall',
      inputType: 'SRT',
      contributionId: inputId,
      config: { mode: 'Push', host: '127.0.0.1', port: farPort, latency: LATENCY_MS },
    })
    await site.start('input', inputId)
    await site.start('output', outputId)
    const caller = dial('127.0.0.1', port)
    await hall.until(ENOUGH_DATAGRAMS)

    const old = await pids([inputId, outputId])
    const failed = await move(MISSING_IP, inputId).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(CallFailed)
    const { message } = failed as CallFailed
    expect(message).toContain(
      `Listening could not be started on Second gateway: This host has no adapter with the address ${MISSING_IP}.`,
    )
    expect(await pids([inputId, outputId])).toEqual(old)
    await hall.until(hall.datagrams + ENOUGH_DATAGRAMS)

    const { moved, notes } = await move(OTHER_IP, inputId)
    expect([moved.length, notes[0]?.note]).toEqual([
      1,
      `Its callers must redial: it listens on ${OTHER_IP}, port ${port}.`,
    ])
    await eventually(() => expect(old.map(isAlive)).toEqual([false, false]))
    await caller.kill()
    hall.empty()
    dial(OTHER_IP, port)
    await hall.until(ENOUGH_DATAGRAMS)
  },
)
