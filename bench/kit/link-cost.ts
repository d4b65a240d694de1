/** What links cost: the processes of a host that carry them and watch over them, and the same by hand. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startStream } from '@trunkline/testbed/encoder-streams/steady-stream'
import { closedBySignals } from './ending.ts'
import { cpuSecondsOf, processTree, residentMegabytesOf, round } from './figure.ts'
import type { LinkFleet } from './link-fleet.ts'
import { supervisorPid } from './site.ts'

const MEDIA = /^(srt-live-transmit|ristsender|ristreceiver) /
/** Started at the same time, so that the machine is not asked for all at once. */
const AT_ONCE = 10

export interface Cost {
  cores: number
  megabytes: number
}

/** `commands`: the command line of each media process. */
export function processesOf(site: LinkFleet['site']) {
  const host = processTree(supervisorPid(site.dataDir))
  const media = host.filter(({ command }) => MEDIA.test(command)).map(({ pid }) => pid)
  const eventListener = host
    .filter(({ command }) => /events\.sh/.test(command))
    .map(({ pid }) => pid)
  const pids = {
    api: [site.api.pid],
    agent: [site.agent.pid],
    eventListener,
    supervisord: [supervisorPid(site.dataDir)],
    media,
  }
  return { pids, commands: media.map(commandOf) }
}

/** Processor time over so long as shares of one core, and memory at its end. */
export async function costOf<N extends string>(
  pids: Record<N, number[]>,
  seconds: number,
): Promise<Record<N, Cost>> {
  const entries = Object.entries(pids) as [N, number[]][]
  const before = entries.map(([, list]) => secondsOf(list))
  await pause(seconds * 1000)
  const costs = entries.map(([name, list], at): [N, Cost] => {
    const cores = round((secondsOf(list) - (before[at] ?? 0)) / seconds)
    const megabytes = Math.round(list.reduce((sum, pid) => sum + residentMegabytesOf(pid), 0))
    return [name, { cores, megabytes }]
  })
  return Object.fromEntries(costs) as Record<N, Cost>
}

function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
}

function commandOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
}

interface ByHand {
  kbps: number
  /** Where the stream is that all senders read. */
  groupPort: number
  settleSeconds: number
  measureSeconds: number
}

/** The same tools with the same arguments, and nobody who watches over them. */
export async function costByHand(
  commands: readonly string[][],
  { kbps, groupPort, settleSeconds, measureSeconds }: ByHand,
): Promise<Cost> {
  using _stream = await startStream(kbps, groupPort)
  const children: ChildProcess[] = []
  const close = closedBySignals(async () => {
    for (const child of children) child.kill('SIGKILL')
  })
  for (const [tool = '', ...args] of commands) {
    children.push(spawn(tool, args, { stdio: 'ignore' }))
    if (children.length % AT_ONCE === 0) await pause(100)
  }
  await pause(settleSeconds * 1000)
  const pids = children.map((child) => child.pid ?? 0)
  const { media } = await costOf({ media: pids }, measureSeconds)
  await close()
  return media
}
