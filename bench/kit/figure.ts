/** What every bench shares: one JSON line, medians, CPU and memory read from /proc. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

export interface Goal {
  name: string
  want: string
  got: number
  ok: boolean
}

export interface FigureLine {
  bench: string
  rounds: number
  ours: object
  /** What the same run measured of the bare thing: the floor we cannot go below. */
  limit: object
  goals: Goal[]
}

/**
 * Prints the line and sets exit code 1 when a goal fails. Into the file `FIGURE_FILE` where that is
 * set, behind the lines that are there: of a bench that runs as a test stdout is the reporter's.
 */
export function printFigure(line: FigureLine): void {
  const about = { git: gitRevision(), cpu: cpus()[0]?.model ?? '', node: process.version }
  const text = `${JSON.stringify({ ...line, ...about })}\n`
  const file = process.env['FIGURE_FILE']
  if (file === undefined) process.stdout.write(text)
  else appendFileSync(file, text)
  if (line.goals.some((goal) => !goal.ok)) process.exitCode = 1
}

export function atMost(name: string, got: number, limit: number, unit: string): Goal {
  return { name, want: `<= ${limit} ${unit}`, got: round(got), ok: got <= limit }
}

export function atLeast(name: string, got: number, limit: number, unit: string): Goal {
  return { name, want: `>= ${limit} ${unit}`, got: round(got), ok: got >= limit }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** `share`: 0 to 100. The least value that so many percent do not pass. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? Number.NaN
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

export function spread(values: readonly number[]) {
  return {
    median: round(median(values)),
    least: round(Math.min(...values)),
    most: round(Math.max(...values)),
  }
}

function gitRevision(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** Clock ticks a second that /proc counts in; fixed at 100 on Linux for user space. */
const TICKS_PER_SECOND = 100

/** User and system time of one process so far, in seconds; 0 when it is gone. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Of one core, while `work` is done. */
export async function coreOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const [core = 0] = await coresOf([pid], work)
  return core
}

/** The same, of several processes. */
export async function coresOf(
  pids: readonly number[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const startedAtMs = performance.now()
  const before = pids.map(cpuSecondsOf)
  await work()
  const seconds = (performance.now() - startedAtMs) / 1000
  return pids.map((pid, at) => (cpuSecondsOf(pid) - (before[at] ?? 0)) / seconds)
}

export function residentMegabytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

export interface ProcessLine {
  pid: number
  parent: number
  command: string
}

/** Every process below `root`, itself included. */
export function processTree(root: number): ProcessLine[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const found: ProcessLine[] = []
  const queue = [root]
  while (queue.length > 0) {
    const next = queue.shift()
    found.push(...all.filter((item) => item.pid === next))
    queue.push(...all.filter((item) => item.parent === next).map((item) => item.pid))
  }
  return found
}

function readProcess(pid: number): ProcessLine[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return [{ pid, parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1] ?? 0), command }]
  } catch {
    return []
  }
}

/** User and system time that this process spends on it. */
export async function cpuMs(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
