/**
 * 200 links on one host: what API and agent cost on top of the media processes, over a minute, with
 * one browser's live stream open. The rival is the same command lines by hand, in the same run.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openLinkFleet, PAIRS, RATE_KBPS, type LinkFleet } from './kit/link-fleet.ts'
import { atMost, printFigure, round } from './kit/figure.ts'
import { watchLoop } from './kit/event-loop.ts'
import { keysOfAll, openLiveStream } from './kit/live-stream.ts'
import { costByHand, costOf, processesOf } from './kit/link-cost.ts'

const MEASURE_SECONDS = 60
/** Links that have just started tell more than links that run. */
const SETTLE_SECONDS = 20

const load = loadavg()[0] ?? 0
const { managed, commands, groupPort, readingsASecond, loopGoal } = await measureManaged()
const byHand = await costByHand(commands, {
  kbps: RATE_KBPS,
  groupPort,
  settleSeconds: SETTLE_SECONDS,
  measureSeconds: MEASURE_SECONDS,
})
const added = managed.api.cores + managed.agent.cores + managed.eventListener.cores
printFigure({
  bench: 'links',
  rounds: 1,
  ours: {
    links: PAIRS * 2,
    kbpsEach: RATE_KBPS,
    ...managed,
    apiAndAgentCores: round(added),
    readingsToldASecond: readingsASecond,
    loadBefore: round(load),
  },
  limit: { byHand: { processes: commands.length, ...byHand } },
  goals: [atMost('API, agent and event listener', added, 0.1, 'of a core'), loopGoal],
})

async function measureManaged() {
  await using fleet = await openLinkFleet()
  using live = await openLive(fleet)
  const loop = await watchLoop(fleet.site.api)
  await pause(SETTLE_SECONDS * 1000)
  const { pids, commands } = processesOf(fleet.site)
  const before = live.events
  const managed = await costOf(pids, MEASURE_SECONDS)
  const readingsASecond = round((live.events - before) / MEASURE_SECONDS)
  const { groupPort } = fleet
  return { managed, commands, groupPort, readingsASecond, loopGoal: await loop.goal() }
}

/** As a browser holds it open: read, and thrown away. */
async function openLive({ site }: LinkFleet): Promise<Disposable & { readonly events: number }> {
  const end = new AbortController()
  const keys = await keysOfAll(site.client)
  const response = await openLiveStream(site.client, keys, end.signal)
  let events = 0
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      events +=
        Buffer.from(chunk as Uint8Array)
          .toString()
          .split('\nevent: program').length - 1
    }
  }
  read().catch(() => undefined)
  return {
    get events() {
      return events
    },
    [Symbol.dispose]: () => end.abort(),
  }
}
