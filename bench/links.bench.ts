/**
 * 200 links on one host: what API and agent cost on top of the media processes, over a minute, with
 * one browser's live stream open. The rival is the same command lines by hand, in the same run.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import { startStream } from '@trunkline/testbed/encoder-streams/steady-stream'
import { openLinkFleet, PAIRS, RATE_KBPS, type LinkFleet } from './kit/link-fleet.ts'
import {
  atMost,
  cpuSecondsOf,
  printFigure,
  processTree,
  residentMegabytesOf,
  round,
} from './kit/figure.ts'
import { closedBySignals } from './kit/ending.ts'
import { supervisorPid } from './kit/site.ts'

const MEASURE_SECONDS = 60
/** Links that have just started tell more than links that run. */
const SETTLE_SECONDS = 20
const MEDIA = /^(srt-live-transmit|ristsender|ristreceiver) /
/** Started at the same time, so that the machine is not asked for all at once. */
const AT_ONCE = 10

interface Cost {
  cores: number
  megabytes: number
}

const load = loadavg()[0] ?? 0
const { managed, commands, groupPort, readingsASecond } = await measureManaged()
const byHand = await measureByHand(commands, groupPort)
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
  goals: [atMost('API, agent and event listener', added, 0.1, 'of a core')],
})

async function measureManaged() {
  await using fleet = await openLinkFleet()
  using live = await openLive(fleet)
  await pause(SETTLE_SECONDS * 1000)
  const host = processTree(supervisorPid(fleet.site.dataDir))
  const media = host.filter((running) => MEDIA.test(running.command)).map((running) => running.pid)
  const eventListener = host
    .filter((running) => /events\.sh/.test(running.command))
    .map((running) => running.pid)
  const supervisord = [supervisorPid(fleet.site.dataDir)]
  const [api, agent] = [[fleet.site.api.pid], [fleet.site.agent.pid]]
  const commands = media.map(commandOf)
  const before = live.events
  const managed = await costOf({ api, agent, eventListener, supervisord, media })
  const readingsASecond = round((live.events - before) / MEASURE_SECONDS)
  const { groupPort } = fleet
  return { managed, commands, groupPort, readingsASecond }
}

/** Processor time over the measured minute as shares of one core, and memory at its end. */
async function costOf<N extends string>(pids: Record<N, number[]>): Promise<Record<N, Cost>> {
  const entries = Object.entries(pids) as [N, number[]][]
  const before = entries.map(([, list]) => secondsOf(list))
  await pause(MEASURE_SECONDS * 1000)
  const costs = entries.map(([name, list], at): [N, Cost] => {
    const cores = round((secondsOf(list) - (before[at] ?? 0)) / MEASURE_SECONDS)
    const megabytes = Math.round(list.reduce((sum, pid) => sum + residentMegabytesOf(pid), 0))
    return [name, { cores, megabytes }]
  })
  return Object.fromEntries(costs) as Record<N, Cost>
}

function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
}

/** As a browser holds it open: read, and thrown away. */
async function openLive({ site }: LinkFleet): Promise<Disposable & { readonly events: number }> {
  const end = new AbortController()
  const response = await fetch(`${site.url}${LIVE_PATH}`, {
    headers: { authorization: `Bearer ${site.client.token}` },
    signal: end.signal,
  })
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

function commandOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
}

/** The same tools with the same arguments, and nobody who watches over them. */
async function measureByHand(commands: readonly string[][], groupPort: number): Promise<Cost> {
  using _stream = await startStream(RATE_KBPS, groupPort)
  const children: ChildProcess[] = []
  const close = closedBySignals(async () => {
    for (const child of children) child.kill('SIGKILL')
  })
  for (const [tool = '', ...args] of commands) {
    children.push(spawn(tool, args, { stdio: 'ignore' }))
    if (children.length % AT_ONCE === 0) await pause(100)
  }
  await pause(SETTLE_SECONDS * 1000)
  const pids = children.map((child) => child.pid ?? 0)
  const { media } = await costOf({ media: pids })
  await close()
  return media
}
