/**
 * The agent's own supervisord as a process: adopted when it lives, started when it does not, ended
 * only by `shutdownSupervisor`. It runs in a session of its own, so that neither Ctrl-C nor the
 * agent's end reaches it: the media programs outlive us.
 */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { toolEnvironment } from '../config.ts'
import { dropRuntimeFolder, folderId, openLayout, type Layout } from './layout.ts'
import { listenerScriptText, mainConfText } from './main-conf.ts'
import { writePrivate } from './private-file.ts'
import {
  endProcesses,
  identityOf,
  isSameProcess,
  processesOf,
  whenGone,
  type ProcessIdentity,
} from './process-identity.ts'
import { restoreSections } from './program-file.ts'
import { SupervisorClient } from './supervisor.client.ts'

const Instance = z.object({
  pid: z.number(),
  startTicks: z.string(),
  bootId: z.string(),
  /** Of the folder that it was started for; '' by a version that did not say. */
  folder: z.string().default(''),
})

export interface SupervisorStart {
  readonly layout: Layout
  readonly pid: number
  /** 'adopted': it was there already, with its programs running. */
  readonly how: 'started' | 'adopted'
}

/** How long a supervisord that lives may be silent at its start, and who hears that it is. */
export interface StartWait {
  readonly tellEveryMs: number
  /** Only ends what hangs. */
  readonly limitMs: number
  onSilence(silence: { pid: number; silentMs: number }): void
  /** Ends the waiting and leaves supervisord as it is. */
  readonly signal: AbortSignal
}

/**
 * A cold start of its Python takes 0.2 s on an idle machine. It answers nothing while it starts its
 * programs: 500 of them took it longer than 20 s on a loaded host.
 */
export const PATIENT: StartWait = {
  tellEveryMs: 10_000,
  limitMs: 180_000,
  onSilence() {},
  signal: new AbortController().signal,
}

const END_LIMIT_MS = 10_000
const PROGRAM_GRACE_MS = 5000
const SECOND_TERM_MS = 500

/** Rejects with a sentence and supervisord's own words when it cannot be started. */
export async function startSupervisor(
  dataDir: string,
  wait: StartWait = PATIENT,
): Promise<SupervisorStart> {
  const layout = openLayout(dataDir)
  const known = readInstance(layout)
  if (known && isSameProcess(known)) {
    // A loaded machine is no reason to end what runs: it gets time to answer.
    const isThere = (await untilAnswers(layout, known.pid, wait)) === true
    if (isThere) return { layout, pid: known.pid, how: 'adopted' }
    await endProcesses([known], PROGRAM_GRACE_MS)
  }
  await endProcesses(processesOf(layout.socket), PROGRAM_GRACE_MS)
  const pid = await launch(layout, wait)
  return { layout, pid, how: 'started' }
}

/** Ends every program and then supervisord itself. Does nothing when none runs. */
export async function shutdownSupervisor(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const layout = openLayout(dataDir)
  const known = readInstance(layout)
  if (known && isSameProcess(known)) {
    await askToEnd(layout, known)
    await endProcesses([known], PROGRAM_GRACE_MS)
  }
  await endProcesses(processesOf(layout.socket), PROGRAM_GRACE_MS)
  rmSync(layout.instanceFile, { force: true })
  rmSync(layout.socket, { force: true })
  dropRuntimeFolder(layout)
}

/**
 * supervisord's own shutdown stops one group after the other, each after a look of up to a second.
 * So all are told to stop first, and calls keep it looking.
 */
async function askToEnd(layout: Layout, supervisord: ProcessIdentity): Promise<void> {
  using client = new SupervisorClient(layout.socket)
  const deadline = performance.now() + END_LIMIT_MS
  try {
    await client.stopAllProcesses()
    // A TERM between a child's fork and its exec is lost: whoever is still there gets another.
    if (!(await isAllStopped(client, performance.now() + SECOND_TERM_MS))) {
      await client.signalAllProcesses('TERM')
      await isAllStopped(client, deadline)
    }
    await client.shutdown()
    while (performance.now() < deadline && (await whenGone([supervisord], 50)).length > 0) {
      await client.getPid()
    }
  } catch {
    // The socket closes with it; whoever is still there is ended by pid next.
  }
}

/** False when something still runs at the deadline. */
async function isAllStopped(client: SupervisorClient, deadline: number): Promise<boolean> {
  const isUp = (name: string) => ['STARTING', 'RUNNING', 'STOPPING'].includes(name)
  while (performance.now() < deadline) {
    const infos = await client.getAllProcessInfo()
    if (!infos.some((info) => isUp(info.statename))) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

/** Null for a file that was copied with its folder: it names the supervisord of the original. */
function readInstance(layout: Layout): ProcessIdentity | null {
  try {
    const known = Instance.parse(JSON.parse(readFileSync(layout.instanceFile, 'utf8')))
    return known.folder === '' || known.folder === folderId(layout) ? known : null
  } catch {
    return null
  }
}

async function answersAs(layout: Layout, pid: number): Promise<boolean> {
  using client = new SupervisorClient(layout.socket)
  try {
    return (await client.getPid()) === pid
  } catch {
    return false
  }
}

async function launch(layout: Layout, wait: StartWait): Promise<number> {
  writePrivate(layout.mainConf, mainConfText(layout))
  writePrivate(layout.listenerScript, listenerScriptText(layout))
  restoreSections(layout)
  makeFifo(layout.eventsFifo)
  const words = join(layout.supervisorDir, 'start.err')
  const stderr = openSync(words, 'w', 0o600)
  const child = spawn('supervisord', ['-c', layout.mainConf], {
    cwd: layout.base,
    detached: true,
    stdio: ['ignore', 'ignore', stderr],
    env: toolEnvironment(),
  })
  closeSync(stderr)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', () => resolve(''))
  })
  const identity = child.pid === undefined ? null : identityOf(child.pid)
  const instance = { ...identity, folder: folderId(layout) }
  if (identity) writePrivate(layout.instanceFile, JSON.stringify(instance))
  const outcome = identity
    ? await Promise.race([untilAnswers(layout, identity.pid, wait), ended])
    : await ended
  if (outcome !== true) {
    child.kill('SIGKILL')
    const reason = outcome || lastLine(readFileSync(words, 'utf8'))
    throw new Error(`supervisord did not start: ${reason}`)
  }
  child.unref()
  return identity?.pid ?? 0
}

/** True once it answers; else why it does not, '' when it has ended. */
async function untilAnswers(layout: Layout, pid: number, wait: StartWait): Promise<true | string> {
  const startedAt = performance.now()
  const silentMs = () => Math.round(performance.now() - startedAt)
  const telling = setInterval(() => {
    if (identityOf(pid) !== null) wait.onSilence({ pid, silentMs: silentMs() })
  }, wait.tellEveryMs)
  try {
    while (silentMs() < wait.limitMs) {
      if (existsSync(layout.socket) && (await answersAs(layout, pid))) return true
      // Ended already: its own words say why.
      if (identityOf(pid) === null) return ''
      wait.signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return `it does not answer on ${layout.socket}`
  } finally {
    clearInterval(telling)
  }
}

function lastLine(text: string): string {
  return text.split('\n').findLast((line) => line.trim() !== '') ?? 'it said nothing'
}

function makeFifo(path: string): void {
  if (existsSync(path)) return
  // Node has no call of its own for it.
  execFileSync('mkfifo', ['-m', '0600', basename(path)], { cwd: dirname(path) })
}

/** The living supervisord of this data folder; null when there is none. */
export function instanceOf(layout: Layout): ProcessIdentity | null {
  const known = readInstance(layout)
  return known && isSameProcess(known) ? known : null
}
