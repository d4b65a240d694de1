/**
 * Segments of a channel that the API relays to players: how many a second, and what a gigabit costs,
 * beside a process that does nothing but hand them on, in the same rounds. By 8 connections.
 */
import { join } from 'node:path'
import { relayPath } from '@trunkline/contract/channels/channel.calls'
import { startOwnProcess } from '@trunkline/testbed/child'
import { DEMO_STREAM } from '@trunkline/testbed/demo-site'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { playlistOf } from './kit/bench-channel.ts'
import { closedBySignals } from './kit/ending.ts'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, cpuSecondsOf, median, printFigure, round, spread } from './kit/figure.ts'
import { load, type Asked } from './kit/http-load.ts'
import { settingOf } from './kit/settings.ts'
import { openBenchSite } from './kit/site.ts'

const ROUNDS = settingOf('ROUNDS', 5)
const MEASURE_MS = 2000
const CONNECTIONS = 8
const BITS_OF_GIGABIT = 1e9

interface Relayed {
  perSecond: number[]
  secondsPerGigabit: number[]
}

await using site = await openBenchSite()
await site.picture()
const origin = new URL(playlistOf(site, DEMO_STREAM))
await using proxy = await startProxy(Number(origin.port))
const loop = await watchLoop(site.api)
const apiPort = Number(new URL(site.url).port)
const ours: Relayed = { perSecond: [], secondsPerGigabit: [] }
const limit: Relayed = { perSecond: [], secondsPerGigabit: [] }
for (let turn = 0; turn < ROUNDS; turn += 1) {
  const segment = await newestSegment()
  const headers = { authorization: `Bearer ${site.client.token}` }
  const relayed = relayPath(site.ids.channelId, segment.name)
  await relay(proxy, proxy.port, { method: 'GET', path: segment.path }, segment.bytes, limit)
  await relay(site.api, apiPort, { method: 'GET', path: relayed, headers }, segment.bytes, ours)
}
const cost = median(ours.secondsPerGigabit) / median(limit.secondsPerGigabit)
printFigure({
  bench: 'segments',
  rounds: ROUNDS,
  ours: figuresOf(ours),
  limit: figuresOf(limit),
  goals: [atMost("CPU of a gigabit, to a bare relay's", cost, 3, 'x'), await loop.goal()],
})

function figuresOf({ perSecond, secondsPerGigabit }: Relayed) {
  return {
    segmentsPerSecond: spread(perSecond),
    cpuSecondsPerGigabit: spread(secondsPerGigabit),
  }
}

async function startProxy(port: number) {
  const starting = startOwnProcess({
    name: 'The bare relay',
    node: process.execPath,
    args: [join(repositoryRoot(), 'bench/kit/bare-proxy.ts'), String(port)],
    env: { PATH: process.env['PATH'] ?? '' },
    onOutput: (text) => process.stderr.write(text),
  })
  closedBySignals(async () => starting.then(async (proxy) => proxy.stop()))
  return starting
}

/** It stays for some rounds of the playlist. */
async function newestSegment() {
  const playlist = await fetch(origin).then(async (answer) => answer.text())
  const last = playlist
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .at(-1)
  if (last === undefined) throw new Error('The playlist has no segment.')
  const address = new URL(last, origin)
  const bytes = (await fetch(address).then(async (answer) => answer.arrayBuffer())).byteLength
  return { path: `${address.pathname}${address.search}`, name: last.split('?')[0] ?? '', bytes }
}

async function relay(
  { pid }: { pid: number },
  port: number,
  asked: Asked,
  bytes: number,
  into: Relayed,
): Promise<void> {
  const before = cpuSecondsOf(pid)
  const { requests, seconds } = await load(port, [asked], {
    connections: CONNECTIONS,
    durationMs: MEASURE_MS,
  })
  const gigabits = (requests * bytes * 8) / BITS_OF_GIGABIT
  into.perSecond.push(round(requests / seconds))
  into.secondsPerGigabit.push(round((cpuSecondsOf(pid) - before) / gigabits))
}
