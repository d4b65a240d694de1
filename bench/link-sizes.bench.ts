/**
 * 1, 10 and 50 SRT links and 10 RIST links at 4.5 Mbit/s, each for ten minutes: what their tools cost
 * under the product beside the same command lines by hand, what the agent costs, and that no packet of
 * the stream is missing at the end of it. `BENCH_MINUTES` makes it shorter.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { openSink, type Sink } from '@trunkline/testbed/encoder-streams/steady-stream'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, printFigure, round, type Goal } from './kit/figure.ts'
import { costByHand, costOf, processesOf } from './kit/link-cost.ts'
import { openLinkFleet, type FleetSize, type LinkFleet } from './kit/link-fleet.ts'
import { settingOf } from './kit/settings.ts'

const KBPS = 4500
const MEASURE_SECONDS = settingOf('MINUTES', 10) * 60
/** Links that have just started tell more than links that run. */
const SETTLE_SECONDS = 20
const MOST_LINKS = settingOf('LINKS', 50)
/** Each link more that is counted costs this process as much as the link. */
const COUNTED_LINKS = 4
const SIZES: readonly FleetSize[] = [
  { pairs: 1, kbps: KBPS, protocols: ['SRT'] },
  { pairs: Math.min(10, MOST_LINKS), kbps: KBPS, protocols: ['SRT'] },
  { pairs: MOST_LINKS, kbps: KBPS, protocols: ['SRT'] },
  { pairs: Math.min(10, MOST_LINKS), kbps: KBPS, protocols: ['RIST'] },
]

const load = loadavg()[0] ?? 0
const figures: Figure[] = []
for (const size of SIZES) figures.push(await measure(size))
const most = figures[2]
printFigure({
  bench: 'link-sizes',
  rounds: 1,
  ours: {
    kbpsEach: KBPS,
    minutes: MEASURE_SECONDS / 60,
    sizes: figures.map(({ name, media, agent, api, errors }) => ({
      name,
      media,
      agent,
      api,
      errors,
    })),
    loadBefore: round(load),
  },
  limit: { byHand: figures.map(({ name, byHand }) => ({ name, ...byHand })) },
  goals: [
    ...figures.flatMap(({ name, media, byHand, errors, loopGoal }) => [
      atMost(`${name}: CPU to the same by hand`, media.cores / byHand.cores, 1.05, 'x'),
      atMost(`${name}: continuity errors`, errors, 0, 'errors'),
      loopGoal,
    ]),
    ...(most === undefined
      ? []
      : [
          atMost(`${most.name}: agent`, most.agent.cores, 0.005, 'of a core'),
          atMost(`${most.name}: agent`, most.agent.megabytes, 80, 'MB'),
        ]),
  ],
})

type Figure = Awaited<ReturnType<typeof measure>>

async function measure(size: FleetSize) {
  const name = `${size.pairs} ${size.protocols.join(' and ')}`
  const { commands, groupPort, ...managed } = await measureManaged(size, name)
  const byHand = await costByHand(commands, {
    kbps: size.kbps,
    groupPort,
    settleSeconds: SETTLE_SECONDS,
    measureSeconds: MEASURE_SECONDS,
  })
  return { name, ...managed, byHand }
}

async function measureManaged(size: FleetSize, name: string) {
  await using fleet = await openLinkFleet(size)
  await using sinks = new AsyncDisposableStack()
  const counted: Sink[] = []
  for (const { inputId } of fleet.pairs.slice(0, COUNTED_LINKS)) {
    counted.push(sinks.use(await sinkOf(fleet, inputId)))
  }
  const loop = await watchLoop(fleet.site.api)
  await pause(SETTLE_SECONDS * 1000)
  for (const sink of counted) sink.empty()
  const { pids, commands } = processesOf(fleet.site)
  const { media, agent, api } = await costOf(pids, MEASURE_SECONDS)
  const errors = counted.reduce((sum, sink) => sum + sink.continuityErrors, 0)
  const datagrams = counted.reduce((sum, sink) => sum + sink.datagrams, 0)
  if (datagrams === 0) throw new Error(`Nothing came through the links (${name}).`)
  const loopGoal: Goal = await loop.goal(name)
  const { groupPort } = fleet
  return { media, agent, api, datagrams, errors, loopGoal, commands, groupPort }
}

/** Where that input puts the stream on the host. */
async function sinkOf({ site }: LinkFleet, inputId: string): Promise<Sink> {
  const { data } = await callApi(site.client, readInput, { params: { id: inputId } })
  const { multicast: ip, multicastPort: port } = data.config
  if (port === undefined) throw new Error(`Input ${inputId} has no port on the local bus.`)
  return openSink({ ip, port })
}
