/**
 * Two whole sites beside each other on one machine: API, agent, supervisord and media tools twice.
 * Each carries a stream with a PID of its own through an input, an output and its channel server.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freeUdpPort } from '@trunkline/agent/agent.fixture'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from './api-client.ts'
import { farTool, startTool, type FarEnd, type LinkKind } from './links/link-matrix.fixture.ts'
import { openLinkSite, type LinkSite } from './links/link-site.ts'
import { putStream } from './media-server.ts'
import {
  openSink,
  startStream,
  type Sink,
  type SteadyStream,
} from './encoder-streams/steady-stream.ts'

const LATENCY_MS = 120
const RATE_KBPS = 500
/** Two seconds of it. */
const ENOUGH_DATAGRAMS = 100
const INPUT: LinkKind = { protocol: 'SRT', place: 'input', mode: 'Listen', bits: 0 }

interface Chain {
  site: LinkSite
  pid: number
  inputId: string
  sink: Sink
  stream: SteadyStream
  feed: FarEnd
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-two-'))
const sites: LinkSite[] = []
const chains: Chain[] = []

beforeAll(async () => {
  const opening = ['a', 'b'].map(async (name) =>
    openLinkSite({
      dataDir: join(folder, name),
      password: 'correct-horse-battery',
    }),
  )
  for (const opened of await Promise.allSettled(opening)) {
    if (opened.status === 'rejected') throw opened.reason
    sites.push(opened.value)
  }
})
afterAll(async () => {
  await Promise.all(chains.map(async ({ feed }) => feed.kill()))
  await Promise.all(sites.map(async (site) => site[Symbol.asyncDispose]()))
  for (const { stream } of chains) stream[Symbol.dispose]()
  await Promise.all(chains.map(async ({ sink }) => sink[Symbol.asyncDispose]()))
  rmSync(folder, { recursive: true, force: true })
})

/** A caller from outside, input, output, the channel server's stream, its push. */
async function openChain(site: LinkSite, pid: number): Promise<Chain> {
  const [port, streamPort] = [await freeUdpPort(), site.plan.ports.srtToChannel]
  const sink = await openSink()
  await putStream(site.plan, 'on', {
    inputs: [{ url: `srt://:${streamPort}?latency=${LATENCY_MS}` }],
    pushes: [{ url: `udp://127.0.0.1:${sink.port}` }],
  })
  const inputId = await site.addInput({
    title: 'In',
    inputType: 'SRT',
    config: { port, latency: LATENCY_MS },
  })
  const config = { mode: 'Push' as const, host: '127.0.0.1', port: streamPort, latency: LATENCY_MS }
  const outputId = await site.addOutput({
    title: 'Out',
    inputType: 'SRT',
    contributionId: inputId,
    config,
  })
  const stream = await startStream(RATE_KBPS, await freeUdpPort(), pid)
  await Promise.all([site.start('input', inputId), site.start('output', outputId)])
  const key = { passphrase: '', bits: 0 } as const
  const feed = startTool(
    farTool(INPUT, { outerPort: port, local: stream, key, latencyMs: LATENCY_MS }),
  )
  const chain = { site, pid, inputId, sink, stream, feed }
  chains.push(chain)
  return chain
}

async function busOf({ site, inputId }: Pick<Chain, 'site' | 'inputId'>) {
  const { data } = await callApi(site.client, readInput, { params: { id: inputId } })
  return { multicast: data.config.multicast, multicastPort: data.config.multicastPort }
}

/** Groups and ports of everything that the site's host runs, as it keeps them. */
async function placesOf(chain: Chain): Promise<(string | number)[]> {
  const { multicast, multicastPort = 0 } = await busOf(chain)
  const file = join(chain.site.dataDir, 'agent', 'streams', 'streams.json')
  const { streams } = JSON.parse(readFileSync(file, 'utf8')) as {
    streams: { inputs: { bus: { ip: string; port: number } }[] }[]
  }
  const legs = streams.flatMap(({ inputs }) => inputs.flatMap(({ bus }) => [bus.ip, bus.port]))
  const seats = Object.values(chain.site.plan.seats).map(({ port }) => port)
  return [multicast, multicastPort, ...legs, ...seats, ...Object.values(chain.site.plan.ports)]
}

test('Q159 two sites on one machine have no group and no port in common, and no packet of one arrives at the other', async () => {
  const [a, b] = await Promise.all(sites.map(async (site, at) => openChain(site, 0x200 + at)))
  if (!a || !b) throw new Error('Two sites were to be opened.')
  await Promise.all([a, b].map(async ({ sink }) => sink.until(ENOUGH_DATAGRAMS)))
  for (const { sink, pid } of [a, b]) expect([...sink.pids]).toEqual([pid])
  const [ofA, ofB] = [await placesOf(a), await placesOf(b)]
  expect(ofA.filter((place) => ofB.includes(place))).toEqual([])
  for (const { site } of [a, b]) {
    const states = (await site.links()).map(({ state }) => state)
    expect(states).toEqual(['running', 'running'])
  }
})

test('Q159 starting an input on a group and port of a program of the other site is refused, with their names', async () => {
  const [a, b] = chains
  if (!a || !b) throw new Error('Two sites were to be opened.')
  const theirs = await busOf(a)
  const stopped = (await a.site.links()).filter(({ kind }) => kind === 'output')
  // Their output has the port open: it is closed while the same one is named here. So has their agent
  // for the seconds in which it measures the stream.
  await Promise.all(stopped.map(async ({ id }) => a.site.stop('output', id)))
  const config = { port: await freeUdpPort(), latency: LATENCY_MS, ...theirs }
  let id = ''
  await eventually(async () => {
    id = await b.site.addInput({ title: 'Same group', inputType: 'SRT', config })
  })
  await Promise.all(stopped.map(async (item) => a.site.start('output', item.id)))
  const body = { id, type: ACTION_TYPE.input, actionType: 'start' as const }
  const answer = await callApi(b.site.client, contributionAction, { body })
  const program = `srt-live-transmit of program output-${stopped[0]?.id}`
  const named = `Multicast group ${theirs.multicast}, port ${theirs.multicastPort}, is already read by ${program}`
  expect(answer).toMatchObject({ status: false, error: expect.stringContaining(named) as string })
  expect(JSON.stringify(answer)).toMatch(/\(process \d+\) of another agent on this host/)
})
