/**
 * The temporary folder of one test run, and everything that the run starts: both are gone when the
 * run ends, by itself or by a signal. What a run that was killed left is removed by the next one.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PREFIX = 'trunkline-run-'
/** Names the process that the folder belongs to: its pid and the time of its start. */
const OWNER_FILE = 'owner'
/** A program that got a signal to end has this long before it is killed. */
export const GRACE_MS = 5000
const LOOK_EVERY_MS = 50

/** @returns {string} an empty folder; every test of the run has it as its TMPDIR */
export function openRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  // PostgreSQL's own user must be able to reach what is below.
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, OWNER_FILE), identityOf(process.pid) ?? '')
  return folder
}

/**
 * Ends what still runs of the folder and removes it.
 * @param {string} folder
 * @param {number} graceMs
 * @returns {Promise<string[]>} the command lines of what was still running
 */
export async function closeRunFolder(folder, graceMs) {
  const left = await endProcessesOf(folder, graceMs)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  return left
}

/** Removes the folders of runs that were killed, with what they left running. */
export async function removeStaleRuns() {
  const folders = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
  for (const folder of folders) if (!isOwned(folder)) await closeRunFolder(folder, GRACE_MS)
}

/** @param {string} folder */
function isOwned(folder) {
  const owner = read(join(folder, OWNER_FILE))
  return owner !== '' && identityOf(Number(owner.split(' ')[0])) === owner
}

/**
 * @param {string} folder
 * @param {number} graceMs
 * @returns {Promise<string[]>}
 */
async function endProcessesOf(folder, graceMs) {
  const found = processesOf(folder)
  const commands = found.map(({ command }) => command)
  signal(found, 'SIGTERM')
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += LOOK_EVERY_MS) {
    if (processesOf(folder).length === 0) return commands
    await pause(LOOK_EVERY_MS)
  }
  // What was started meanwhile by one of them is ended too.
  for (let rest = processesOf(folder); rest.length > 0; rest = processesOf(folder)) {
    signal(rest, 'SIGKILL')
    await pause(LOOK_EVERY_MS)
  }
  return commands
}

/**
 * Each process whose TMPDIR or command line names the folder, however deep below the run it was
 * started: a supervisord has a session of its own and no parent.
 * @param {string} folder
 */
function processesOf(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
      const isOurs =
        command.includes(folder) || read(`/proc/${name}/environ`).includes(`TMPDIR=${folder}\0`)
      // A process that has ended and is not yet collected has no command line.
      return isOurs && command !== '' ? [{ pid: Number(name), command }] : []
    })
}

/**
 * @param {readonly { pid: number }[]} processes
 * @param {NodeJS.Signals} name
 */
function signal(processes, name) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * @param {number} pid
 * @returns {string | null} null when no such process runs; a pid is given out again, with another start
 */
function identityOf(pid) {
  // The name of the program stands in brackets and may hold anything; start is the 22nd field.
  const start = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19]
  return start === undefined ? null : `${pid} ${start}`
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
