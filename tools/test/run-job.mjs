/** Runs one program of a kind of tests, what failed on real media once more, and counts. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from '../say.mjs'
import { root } from '../setup.mjs'
import { none, sum, withExit } from './counts.mjs'
import { afterSecondTry, filesToTryAgain } from './second-try.mjs'

/** Far above what a kind takes on a small machine; one that hangs must not hang the whole run. */
const KIND_LIMIT_MS = 40 * 60_000

/**
 * @typedef {import('./kinds.mjs').Job} Job
 * @typedef {import('./counts.mjs').Counts} Counts
 */

/**
 * @param {Job} job
 * @param {string} kind named when the program fails without naming a failed test
 * @param {string} reportFile that the job writes
 * @returns {Promise<{ counts: Counts, firstFailures: string[] }>} `firstFailures`: what was tried again
 */
export async function runJob(job, kind, reportFile) {
  const endedWell = await run(job)
  const { count, secondTry } = job
  if (count === undefined) {
    const counts = { ...none, passed: endedWell ? 1 : 0 }
    return { counts: withExit(counts, endedWell, job.title ?? kind), firstFailures: [] }
  }
  const first = count(readReport(reportFile))
  const files = secondTry === undefined ? [] : filesToTryAgain(first, secondTry.folder)
  if (secondTry === undefined || files.length === 0) {
    return { counts: withExit(sum(first), endedWell, kind), firstFailures: [] }
  }
  say(`\n== ${kind}, a second try of ${files.join(', ')}`)
  rmSync(reportFile)
  const endedWellAgain = await run({ ...job, argv: secondTry.argv(files) })
  const again = withExit(sum(count(readReport(reportFile))), endedWellAgain, kind)
  return afterSecondTry(first, again, files)
}

/**
 * @param {Job} job
 * @returns {Promise<boolean>} whether it ended with exit code 0
 */
function run(job) {
  return new Promise((resolve) => {
    const [program = '', ...args] = job.argv
    const child = spawn(program, args, {
      cwd: root,
      env: { ...testEnv(), ...job.env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const limit = setTimeout(() => {
      say(`${program} has not ended after ${KIND_LIMIT_MS / 60_000} minutes and is ended now.`)
      child.kill('SIGTERM')
    }, KIND_LIMIT_MS)
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      child.kill(signal)
      child.once('close', () => process.exit(130))
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    /** @param {boolean} endedWell */
    const end = (endedWell) => {
      clearTimeout(limit)
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve(endedWell)
    }
    child.on('error', (error) => {
      say(`${program} could not be started: ${error.message}`)
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

/** The developer's own settings of Trunkline do not reach the tests. */
function testEnv() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TRUNKLINE_|NODE_ENV$)/.test(name))
  const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: '1' }
  return { ...Object.fromEntries(kept), ...colour, PATH: path, CI: process.env['CI'] ?? '1' }
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
