/** Runs one program of a kind of tests, what failed on real media once more, and counts. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { say } from '../say.mjs'
import { root } from '../setup.mjs'
import { none, sum, withExit } from './counts.mjs'
import { eventReader } from './progress.mjs'
import { afterSecondTry, filesToTryAgain } from './second-try.mjs'

/** Far above what a kind takes on a small machine; one that hangs must not hang the whole run. */
const KIND_LIMIT_MS = 40 * 60_000
/** A job that got a signal to end has this long to close its site, its browser and its database. */
const END_LIMIT_MS = 20_000
/** The last output of one that has ended arrives well within this. */
const PIPES_LIMIT_MS = 5000
/**
 * Nice value of kinds that only compute, so that media checks get CPU time first. At 5 the browser
 * tests took 100 s longer beside the API's.
 */
const YIELDING = 19

/**
 * @typedef {import('./kinds.mjs').Job} Job
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {import('./counts.mjs').FileCounts} FileCounts
 *
 * @typedef {object} Surroundings of the jobs of one run
 * @property {string} folder for temporary files
 * @property {(event: import('./progress.mjs').ProgressEvent) => void} onProgress
 * @property {AbortSignal} signal ends the job
 *
 * @typedef {object} JobResult
 * @property {Counts} counts
 * @property {FileCounts[]} files with their times, of the first try
 * @property {string[]} firstFailures what was tried again
 * @property {string} output
 */

/**
 * @param {Job} job
 * @param {string} kind named when the program fails without naming a failed test
 * @param {string} reportFile that the job writes
 * @param {Surroundings} surroundings
 * @returns {Promise<JobResult>}
 */
export async function runJob(job, kind, reportFile, surroundings) {
  const { endedWell, output } = await run(job, surroundings)
  const { count, secondTry } = job
  if (count === undefined) {
    const counts = { ...none, passed: endedWell ? 1 : 0 }
    const all = withExit(counts, endedWell, job.title ?? kind)
    return { counts: all, files: [], firstFailures: [], output }
  }
  const first = count(readReport(reportFile))
  const files = secondTry === undefined ? [] : filesToTryAgain(first, secondTry.folder)
  if (secondTry === undefined || files.length === 0 || surroundings.signal.aborted) {
    const counts = withExit(sum(first), endedWell, kind)
    return { counts, files: first, firstFailures: [], output }
  }
  say(`== ${kind}, a second try of ${files.join(', ')}`)
  rmSync(reportFile)
  const again = await run({ ...job, argv: secondTry.argv(files) }, surroundings)
  const second = withExit(sum(count(readReport(reportFile))), again.endedWell, kind)
  return {
    ...afterSecondTry(first, second, files),
    files: first,
    output: `${output}\n${again.output}`,
  }
}

/**
 * In a session of its own, so that the end of a run reaches it once, by us; and the kernel ends it
 * should we be killed without warning.
 * @param {Job} job
 * @param {Surroundings} surroundings
 * @returns {Promise<{ endedWell: boolean, output: string }>} `endedWell`: with exit code 0
 */
function run(job, { folder, onProgress, signal }) {
  if (signal.aborted) return Promise.resolve({ endedWell: false, output: '' })
  return new Promise((resolve) => {
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...job.argv], {
      cwd: root,
      env: { ...testEnv(folder), ...job.env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    if (job.yields === true) lowerPriority(child.pid)
    /** @type {string[]} */
    const output = []
    /** @param {Buffer} chunk */
    const keep = (chunk) => output.push(chunk.toString())
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.stdio[3]?.on('data', eventReader(onProgress))
    const limit = setTimeout(() => {
      say(`${job.argv[0]} has not ended after ${KIND_LIMIT_MS / 60_000} minutes and is ended now.`)
      endGroup(child.pid, 'SIGTERM')
    }, KIND_LIMIT_MS)
    /** @type {NodeJS.Timeout | undefined} */
    let killer
    const stop = () => {
      // The program alone first: vitest and Playwright close what they opened, and then their workers.
      child.kill('SIGTERM')
      killer = setTimeout(() => endGroup(child.pid, 'SIGKILL'), END_LIMIT_MS)
    }
    signal.addEventListener('abort', stop)
    /** @param {boolean} endedWell */
    const end = (endedWell) => {
      clearTimeout(limit)
      clearTimeout(killer)
      signal.removeEventListener('abort', stop)
      resolve({ endedWell, output: output.join('') })
    }
    child.on('error', (error) => {
      say(`${job.argv[0]} could not be started: ${error.message}`)
      end(false)
    })
    child.on('close', (code) => end(code === 0))
    // Whoever it left behind may hold its pipes open for ever.
    child.on('exit', (code) => setTimeout(() => end(code === 0), PIPES_LIMIT_MS).unref())
  })
}

/**
 * The kernel shares the cores between sessions first where it groups by them, and only then between
 * the processes of one.
 * @param {number | undefined} pid of a process that leads a session
 */
function lowerPriority(pid) {
  if (pid === undefined) return
  try {
    setPriority(pid, YIELDING)
    writeFileSync(`/proc/${pid}/autogroup`, String(YIELDING))
  } catch {
    // A kernel without such groups; or the program has ended.
  }
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} name
 */
function endGroup(pid, name) {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * The developer's own settings of Trunkline do not reach the tests. Of the many processes of a run each
 * loads what another has compiled: that halves what it takes to start an API from its sources.
 * @param {string} folder
 */
function testEnv(folder) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TRUNKLINE_|NODE_ENV$)/.test(name))
  const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: '1' }
  return {
    ...Object.fromEntries(kept),
    ...colour,
    PATH: path,
    CI: process.env['CI'] ?? '1',
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  }
}

/** @param {string} file */
function readReport(file) {
  try {
    /** @type {unknown} */
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return report
  } catch {
    return undefined
  }
}
