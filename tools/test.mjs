/**
 * `npm test`: makes the machine ready, builds, and runs every kind of test, also after one failed.
 * It ends with one line per kind. `npm test -- api browser` runs only the kinds that are named.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { say } from './say.mjs'
import { giveUp, root, setup } from './setup.mjs'
import { none, sum, summaryLine, withExit } from './test/counts.mjs'
import { kinds } from './test/kinds.mjs'

/** Far above what a kind takes on a small machine; one that hangs must not hang the whole run. */
const KIND_LIMIT_MS = 10 * 60_000

const chosen = chooseKinds(process.argv.slice(2))
const node = await setup('test').catch(giveUp)
const reports = mkdtempSync(join(tmpdir(), 'trunkline-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
// Only the browser tests need what is built; everything else can tell its own faults all the same.
const buildFailure = chosen.some((kind) => kind.needsBuild)
  ? await build(node).then(
      () => undefined,
      (/** @type {unknown} */ error) => String(error),
    )
  : undefined
if (buildFailure !== undefined) say(buildFailure)

/** @type {{ name: string, counts: import('./test/counts.mjs').Counts }[]} */
const results = []
for (const kind of chosen) results.push({ name: kind.name, counts: await runKind(kind) })
finish()

/** @param {string[]} names */
function chooseKinds(names) {
  const unknown = names.filter((name) => !kinds.some((kind) => kind.name === name))
  if (unknown.length > 0) {
    const known = kinds.map((kind) => kind.name).join(', ')
    giveUp(new Error(`There is no kind of test named ${unknown.join(', ')}. There are: ${known}.`))
  }
  return names.length === 0 ? kinds : kinds.filter((kind) => names.includes(kind.name))
}

/** @param {import('./test/kinds.mjs').Kind} kind */
async function runKind(kind) {
  const startedMs = performance.now()
  const reportFile = join(reports, `${kind.name}.json`)
  say(`\n== ${kind.name}`)
  if (kind.needsBuild === true && buildFailure !== undefined) {
    return { passed: 0, failed: 1, failures: ['the build failed; see the top of this output'] }
  }
  const counts = []
  for (const job of kind.jobs(reportFile)) counts.push(await runJob(job, kind.name, reportFile))
  say(`== ${kind.name} took ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return sum(counts)
}

/**
 * @param {import('./test/kinds.mjs').Job} job
 * @param {string} kind
 * @param {string} reportFile
 */
async function runJob(job, kind, reportFile) {
  const endedWell = await run(job)
  if (job.count !== undefined) {
    return withExit(job.count(readReport(reportFile)), endedWell, kind)
  }
  return withExit({ ...none, passed: endedWell ? 1 : 0 }, endedWell, job.title ?? kind)
}

/**
 * @param {import('./test/kinds.mjs').Job} job
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

function finish() {
  const failed = results.filter(({ counts }) => counts.failed > 0)
  const empty = results.filter(({ counts }) => counts.failed === 0 && counts.passed === 0)
  if (failed.length > 0) {
    say('\nFailed:')
    for (const { name, counts } of failed) {
      for (const failure of counts.failures) say(`  ${name}  ${failure}`)
    }
  }
  for (const { name } of empty) say(`\n${name} ran no test at all; that counts as a failure.`)
  say('')
  for (const { name, counts } of results) say(summaryLine(name, counts))
  process.exitCode = failed.length + empty.length > 0 ? 1 : 0
}
