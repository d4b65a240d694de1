/** Tells one process from a later one with the same pid, and finds what belongs to a supervisord. */
import { readlinkSync, statSync } from 'node:fs'
import { namesIn, textOf } from '../host/files.ts'

export interface ProcessIdentity {
  pid: number
  /** Clock ticks after boot, field 22 of /proc/PID/stat. */
  startTicks: string
  bootId: string
}

/** Null when there is no such process, or only its remains (a zombie). */
export function identityOf(pid: number): ProcessIdentity | null {
  const fields = statFieldsOf(pid)
  const startTicks = fields[19]
  if (startTicks === undefined || fields[0] === 'Z') return null
  return { pid, startTicks, bootId: textOf('/proc/sys/kernel/random/boot_id').trim() }
}

/** From the state on, the third field of proc(5). */
function statFieldsOf(pid: number): string[] {
  const stat = textOf(`/proc/${pid}/stat`)
  // The second field is the command in brackets and may hold spaces and brackets itself.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A stop signal holds it up, or one that it has started, as the tool of a caller's script. */
export function isPaused(pid: number): boolean {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ')
  const all = [String(pid), ...children.filter((child) => child !== '')]
  return all.some((each) => statFieldsOf(Number(each))[0] === 'T')
}

/** What a process has started and what still runs. Looks at every process: not for each second. */
export function childrenOf(pid: number): ProcessIdentity[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => statFieldsOf(Number(name))[1] === String(pid))
    .map((name) => identityOf(Number(name)))
    .filter((identity) => identity !== null)
}

export function isSameProcess(known: ProcessIdentity): boolean {
  const now = identityOf(known.pid)
  return now !== null && now.startTicks === known.startTicks && now.bootId === known.bootId
}

/** Socket flags of /proc/net/unix: it takes connections. */
const LISTENS = '00010000'

/**
 * The supervisord processes that listen at this socket, whether they answer or not. One binds
 * `<socket>.<pid>` and renames it: the kernel goes on to list it by that first name.
 */
export function listenersAt(socket: string): ProcessIdentity[] {
  const pids = textOf('/proc/net/unix')
    .split('\n')
    .flatMap((line) => {
      const [, , , flags, , , , path] = line.trim().split(/\s+/)
      if (flags !== LISTENS || path?.startsWith(`${socket}.`) !== true) return []
      const pid = path.slice(socket.length + 1)
      return /^\d+$/.test(pid) ? [Number(pid)] : []
    })
  return pids.map((pid) => identityOf(pid)).filter((identity) => identity !== null)
}

/** Device and inode of the folder that a process works in; '' when it has ended. */
export function workingFolderOf(pid: number): string {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd`, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return ''
  }
}

/** It was deleted under the process: nobody can reach what lay in it any more. */
export function isWorkingFolderDeleted(pid: number): boolean {
  try {
    // The kernel's own mark, proc(5).
    return readlinkSync(`/proc/${pid}/cwd`).endsWith(' (deleted)')
  } catch {
    return false
  }
}

/** supervisord names its socket in the environment of everything that it starts. */
export function processesOf(socket: string): ProcessIdentity[] {
  const mark = `SUPERVISOR_SERVER_URL=unix://${socket}`
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => identityOf(Number(pid)))
    .filter((identity) => identity !== null)
}

/** The program id that a process was started for; '' when it is none of a supervisord's. */
export function programNameOf(pid: number): string {
  return environmentOf(pid, 'SUPERVISOR_PROCESS_NAME=')
}

/** The socket of the supervisord that a process was started by; '' when there is none. */
export function supervisorOf(pid: number): string {
  return environmentOf(pid, 'SUPERVISOR_SERVER_URL=').replace(/^unix:\/\//, '')
}

function environmentOf(pid: number, mark: string): string {
  const found = textOf(`/proc/${pid}/environ`)
    .split('\0')
    .find((pair) => pair.startsWith(mark))
  return found?.slice(mark.length) ?? ''
}

/** Looking more often would cost more than it tells. */
const LOOK_MS = 20

/** Resolves to what is still alive after `limitMs`. */
export async function whenGone(
  processes: readonly ProcessIdentity[],
  limitMs: number,
): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + limitMs
  let alive = processes.filter(isSameProcess)
  while (alive.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    alive = alive.filter(isSameProcess)
  }
  return alive
}

/** TERM, then after `graceMs` KILL; only processes whose identity still holds. */
export async function endProcesses(
  processes: readonly ProcessIdentity[],
  graceMs: number,
): Promise<void> {
  signal(processes, 'SIGTERM')
  const stubborn = await whenGone(processes, graceMs)
  signal(stubborn, 'SIGKILL')
  await whenGone(stubborn, graceMs)
}

function signal(processes: readonly ProcessIdentity[], name: 'SIGTERM' | 'SIGKILL'): void {
  for (const identity of processes) {
    if (!isSameProcess(identity)) continue
    try {
      process.kill(identity.pid, name)
    } catch {
      // It ended between the look and the signal.
    }
  }
}
