/**
 * The agent's own supervisord as a process: adopted when it lives, started when it does not (where a
 * service starts it: waited for), ended only by `shutdownSupervisor`. It runs in a session of its own, so that neither Ctrl-C nor the
 * agent's end reaches it: the media programs outlive us.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSupervisordService, toolEnvironment } from '../config.ts'
import { dropRuntimeFolder, folderId, openLayout, type Layout } from './layout.ts'
import { listenerScriptText, mainConfText } from './main-conf.ts'
import { writePrivateIfChanged } from './private-file.ts'
import {
  endProcesses,
  identityOf,
  isSameProcess,
  isWorkingFolderDeleted,
  listenersAt,
  processesOf,
  whenGone,
  workingFolderOf,
  type ProcessIdentity,
} from './process-identity.ts'
import { readProcessRecord, writeProcessRecord } from './process-record.ts'
import { restoreSections } from './program-file.ts'
import { spawnStderrReader, wordsRead } from './stderr-reader.ts'
import { SupervisorClient } from './supervisor.client.ts'

interface SupervisorStart {
  readonly layout: Layout
  readonly pid: number
  /** 'adopted': it was there already, with its programs running. */
  readonly how: 'started' | 'adopted'
}

/** How long a supervisord that lives may be silent at its start, and who hears what is done then. */
export interface StartWait {
  readonly reportEveryMs: number
  /**
   * Then the start fails. A supervisord that listens and does not answer is not touched, nor are
   * its programs.
   */
  readonly limitMs: number
  onSilence(silence: { pid: number; silentMs: number }): void
  /** A supervisord that cannot be reached was ended, with its programs. */
  onEnded(pid: number): void
  /** Ends the waiting and leaves supervisord as it is. */
  readonly signal: AbortSignal
}

/**
 * A cold start of its Python takes 0.2 s on an idle machine. It answers nothing while it starts its
 * programs: 500 of them took it longer than 20 s on a loaded host.
 */
export const PATIENT: StartWait = {
  reportEveryMs: 10_000,
  limitMs: 180_000,
  onSilence() {},
  onEnded() {},
  signal: new AbortController().signal,
}

/** systemd starts it within a second; longer than this somebody has stopped it. */
const SERVICE_LIMIT_MS = 30_000
const SERVICE_LOOK_MS = 100
const END_LIMIT_MS = 10_000
const PROGRAM_GRACE_MS = 5000
/**
 * What a dead supervisord left has had its TERM from the kernel, and all programs wait for its end. SRT
 * tools leave in 0.1 s; a packager without input never does.
 */
const ORPHAN_GRACE_MS = 500
const SECOND_TERM_MS = 500
/** At a TERM it stops its programs one after the other; those that are left end with it. */
const STRANDED_GRACE_MS = 1000

/** Rejects with a sentence and supervisord's own words when it cannot be started. */
export async function startSupervisor(
  dataDir: string,
  wait: StartWait = PATIENT,
): Promise<SupervisorStart> {
  const layout = openLayout(dataDir)
  if (isSupervisordService()) await untilServiceRuns(layout, wait.signal)
  const found = await findLiving(layout, wait)
  if (found !== null) {
    if (readInstance(layout)?.startTicks !== found.startTicks) writeInstance(layout, found)
    return { layout, pid: found.pid, how: 'adopted' }
  }
  const pid = await launch(layout, wait)
  return { layout, pid, how: 'started' }
}

/**
 * For the service that starts supervisord. Writes what supervisord reads, and ends what a dead one of
 * this data folder left. Answers the folder to start it in. Throws a sentence when one runs there.
 */
export async function prepareSupervisor(dataDir: string): Promise<string> {
  const layout = openLayout(dataDir)
  const living = instanceOf(layout)
  if (living !== null) {
    throw new Error(
      `supervisord (process ${living.pid}) runs in ${dataDir} already. Nothing to do.`,
    )
  }
  await prepare(layout)
  return layout.base
}

/** Throws a sentence when the service does not start it. */
async function untilServiceRuns(layout: Layout, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + SERVICE_LIMIT_MS
  while (instancesOf(layout).length === 0) {
    signal.throwIfAborted()
    if (performance.now() > deadline) {
      const [what, command] =
        strandedAt(layout).length === 0
          ? ['supervisord does not run on this host. Start', 'start']
          : ['supervisord runs in a data folder that was deleted. Restart', 'restart']
      throw new Error(`${what} it: systemctl ${command} trunkline-agent-programs`)
    }
    await new Promise((resolve) => setTimeout(resolve, SERVICE_LOOK_MS))
  }
}

async function prepare(layout: Layout): Promise<void> {
  // First, or it would start again what is ended next.
  await endProcesses(strandedAt(layout), STRANDED_GRACE_MS)
  await endProcesses(processesOf(layout.socket), ORPHAN_GRACE_MS)
  writePrivateIfChanged(layout.mainConf, mainConfText(layout))
  writePrivateIfChanged(layout.listenerScript, listenerScriptText(layout))
  restoreSections(layout)
  makeFifo(layout.eventsFifo)
}

/**
 * The one of this folder that answers, null when none lives. The record may be lost, or name another:
 * the socket tells who listens. Others, and one that nobody can reach, are ended, or their programs
 * would run twice.
 */
async function findLiving(layout: Layout, wait: StartWait): Promise<ProcessIdentity | null> {
  const living = instancesOf(layout)
  if (living.length === 0) return null
  // A loaded machine is no reason to end what runs: it gets time to answer.
  const found = await untilAnswers(layout, living, wait)
  if (typeof found === 'string' && isReachable(layout)) {
    const pids = living.map(({ pid }) => pid).join(', ')
    throw new Error(
      `supervisord (process ${pids}) has not answered for ${Math.round(wait.limitMs / 1000)} s. It was left as it is, and so were its programs. Check whether supervisord is stopped or the host is overloaded; ending it ends all its programs.`,
    )
  }
  const others = living.filter(
    (identity) => typeof found === 'string' || identity.pid !== found.pid,
  )
  for (const { pid } of others.filter(isSameProcess)) wait.onEnded(pid)
  await endProcesses(others, PROGRAM_GRACE_MS)
  return typeof found === 'string' ? null : found
}

/** Somebody listens at the socket, and its file is still there. */
function isReachable(layout: Layout): boolean {
  return existsSync(layout.socket) && listening(layout).length > 0
}

/** Ends every program and then supervisord itself. Does nothing when none runs. */
export async function shutdownSupervisor(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const layout = openLayout(dataDir)
  for (const identity of instancesOf(layout)) {
    await askToEnd(layout, identity)
    await endProcesses([identity], PROGRAM_GRACE_MS)
  }
  await endProcesses(processesOf(layout.socket), PROGRAM_GRACE_MS)
  rmSync(layout.instanceFile, { force: true })
  rmSync(layout.socket, { force: true })
  dropRuntimeFolder(layout)
}

/**
 * supervisord's own shutdown stops one group after the other, each after a look of up to a second.
 * So all are stopped first, and calls keep its loop turning.
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

function readInstance(layout: Layout): ProcessIdentity | null {
  return readProcessRecord(layout.instanceFile, folderId(layout))
}

/** Where a full disk takes none, the socket tells who it is. */
function writeInstance(layout: Layout, identity: ProcessIdentity): void {
  writeProcessRecord(layout.instanceFile, identity, folderId(layout))
}

/** Null when nobody answers at the socket. */
async function pidAt(layout: Layout): Promise<number | null> {
  using client = new SupervisorClient(layout.socket)
  try {
    return await client.getPid()
  } catch {
    return null
  }
}

async function launch(layout: Layout, wait: StartWait): Promise<number> {
  await prepare(layout)
  const words = join(layout.supervisorDir, 'start.err')
  const reader = spawnStderrReader(words)
  const child = spawn('supervisord', ['-c', layout.mainConf], {
    cwd: layout.base,
    detached: true,
    stdio: ['ignore', 'ignore', reader.stdin ?? 'ignore'],
    env: toolEnvironment(),
  })
  reader.stdin?.destroy()
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', () => resolve(''))
  })
  const identity = child.pid === undefined ? null : identityOf(child.pid)
  // Until this is written the socket tells which process it is.
  if (identity) writeInstance(layout, identity)
  const outcome = identity
    ? await Promise.race([untilAnswers(layout, [identity], wait), ended])
    : await ended
  child.unref()
  if (typeof outcome !== 'string') return outcome.pid
  // Before it listens it runs no program; later it may, and answers late.
  if (!listening(layout).some(({ pid }) => pid === child.pid)) child.kill('SIGKILL')
  const reason = outcome || errorLine(await wordsRead(reader, words))
  throw new Error(`supervisord did not start: ${reason}`)
}

/** The supervisord that answers; else why none does, '' when all have ended. */
async function untilAnswers(
  layout: Layout,
  living: readonly ProcessIdentity[],
  wait: StartWait,
): Promise<ProcessIdentity | string> {
  const startedAt = performance.now()
  const silentMs = () => Math.round(performance.now() - startedAt)
  const reporting = setInterval(() => {
    const [identity] = living.filter(isSameProcess)
    if (identity !== undefined) wait.onSilence({ pid: identity.pid, silentMs: silentMs() })
  }, wait.reportEveryMs)
  try {
    while (silentMs() < wait.limitMs) {
      const pid = existsSync(layout.socket) ? await pidAt(layout) : null
      const found = living.find((identity) => identity.pid === pid)
      if (found !== undefined) return found
      // Ended already: its own words say why.
      if (!living.some(isSameProcess)) return ''
      wait.signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return `it does not answer on ${layout.socket}`
  } finally {
    clearInterval(reporting)
  }
}

/** supervisord ends with a hint at its usage, after the line that says what is wrong. */
function errorLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => line.startsWith('Error: ')) ?? lines.at(-1) ?? 'it said nothing'
}

/**
 * A listener's script whose folder was moved away makes a plain file of the name that it opens: only
 * a FIFO is kept, and it takes the place of whatever has its name by then.
 */
function makeFifo(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true) return
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  // Node has no call of its own for it.
  execFileSync('mkfifo', ['-m', '0600', basename(draft)], { cwd: dirname(draft) })
  renameSync(draft, path)
}

/** The living supervisord of this data folder, whether it answers or not; null when there is none. */
export function instanceOf(layout: Layout): ProcessIdentity | null {
  return instancesOf(layout)[0] ?? null
}

/** The same by its folder, which may not be there yet. */
export function livingSupervisor(dataDir: string): ProcessIdentity | null {
  return existsSync(dataDir) ? instanceOf(openLayout(dataDir)) : null
}

/**
 * The process that listens at the socket, then the process of the record: it may not listen yet.
 */
function instancesOf(layout: Layout): ProcessIdentity[] {
  const found = listening(layout)
  const known = readInstance(layout)
  const isListed = found.some(({ pid }) => pid === known?.pid)
  return known && !isListed && isSameProcess(known) ? [...found, known] : found
}

/** Not one of a folder that had this path before it was moved. */
function listening(layout: Layout): ProcessIdentity[] {
  const folder = folderId(layout)
  return listenersAt(layout.socket).filter(({ pid }) => workingFolderOf(pid) === folder)
}

/**
 * Listens at the path of our socket in a folder that was deleted: nobody can reach it, and it would run
 * its programs beside those of the folder that has its path now.
 */
function strandedAt(layout: Layout): ProcessIdentity[] {
  return listenersAt(layout.socket).filter(({ pid }) => isWorkingFolderDeleted(pid))
}
