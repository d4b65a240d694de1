/**
 * `npm test`: makes the machine ready, builds, and runs every kind of test, also after one failed;
 * kinds run side by side as far as their weights fit the cores. What fails and depends on the machine
 * is tried once more, and reported (docs/adr/0013). It ends with one line per kind.
 * `npm test -- api browser` runs only the kinds that are named, `npm test -- quick` what is quick
 * and the tests that what changed since main can reach.
 */
import { join } from 'node:path'
import { build } from './build.mjs'
import { say } from './say.mjs'
import { giveUp, setup } from './setup.mjs'
import { quickKinds } from './test/changed.mjs'
import { sum, summaryLine } from './test/counts.mjs'
import { kinds } from './test/kinds.mjs'
import { Progress } from './test/progress.mjs'
import { closeRunFolder, GRACE_MS, openRunFolder, removeStaleRuns } from './test/run-folder.mjs'
import { runJob } from './test/run-job.mjs'
import { watchIdle } from './test/idle-cores.mjs'
import { CORES, runWeighted } from './test/schedule.mjs'
import { secondTryLines } from './test/second-try.mjs'
import { slowestLines, timeLines } from './test/slowest.mjs'

/**
 * @typedef {import('./test/kinds.mjs').Kind} Kind
 * @typedef {{ name: string, durationMs: number, counts: import('./test/counts.mjs').Counts }} Result
 */

const chosen = chooseKinds(process.argv.slice(2))
const node = await setup('test').catch(giveUp)
await removeStaleRuns()
const folder = openRunFolder()
const ending = new AbortController()
// npm and the terminal both send a Ctrl-C: the second one is the same.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => ending.abort())

// Only the browser tests need what is built; everything else can tell its own faults all the same.
const buildFailure = chosen.some((kind) => kind.needsBuild)
  ? await build(node).then(
      () => undefined,
      (/** @type {unknown} */ error) => String(error),
    )
  : undefined
if (buildFailure !== undefined) say(buildFailure)

const progress = new Progress()
/** @type {Result[]} */
const results = []
/** @type {import('./test/slowest.mjs').TimedFile[]} */
const files = []
/** @type {string[]} what failed at first and was tried again */
const firstFailures = []
await runWeighted(chosen, CORES, watchIdle(), runKind)
progress.stop()
const left = await closeRunFolder(folder, GRACE_MS)
finish()

/**
 * @param {string[]} names
 * @returns {readonly Kind[]}
 */
function chooseKinds(names) {
  if (names.length === 1 && names[0] === 'quick') return quick()
  const unknown = names.filter((name) => !kinds.some((kind) => kind.name === name))
  if (unknown.length > 0) {
    const known = kinds.map((kind) => kind.name).join(', ')
    giveUp(
      new Error(
        `There is no kind of test named ${unknown.join(', ')}. There are: ${known}; quick.`,
      ),
    )
  }
  return names.length === 0 ? kinds : kinds.filter((kind) => names.includes(kind.name))
}

function quick() {
  try {
    return quickKinds(kinds)
  } catch (error) {
    giveUp(error)
  }
}

/** @param {Kind} kind */
async function runKind(kind) {
  if (ending.signal.aborted) return
  const startedMs = performance.now()
  progress.begin(kind.name)
  const { counts, output } = await countsOf(kind)
  progress.end(kind.name)
  const durationMs = performance.now() - startedMs
  results.push({ name: kind.name, durationMs, counts })
  if (counts.failed > 0) say(`\n== ${kind.name}\n${output}`)
  say(`  ${progress.age()}  ${summaryLine(kind.name, counts)}, ${(durationMs / 1000).toFixed(1)} s`)
}

/** @param {Kind} kind */
async function countsOf(kind) {
  if (kind.needsBuild === true && buildFailure !== undefined) {
    const failures = ['the build failed; see the top of this output']
    return { counts: { passed: 0, failed: 1, failures }, output: '' }
  }
  const reportFile = join(folder, `${kind.name}.json`)
  const surroundings = {
    folder,
    signal: ending.signal,
    onProgress: (/** @type {import('./test/progress.mjs').ProgressEvent} */ event) =>
      progress.take(kind.name, event),
  }
  const counts = []
  let output = ''
  for (const job of kind.jobs(reportFile)) {
    const result = await runJob(job, kind.name, reportFile, surroundings)
    counts.push(result.counts)
    output += result.output
    files.push(...result.files.map((file) => ({ kind: kind.name, ...file })))
    firstFailures.push(...result.firstFailures.map((failure) => `${kind.name}  ${failure}`))
  }
  return { counts: sum(counts), output }
}

function finish() {
  if (ending.signal.aborted) {
    say('The run was ended by a signal; nothing of it is left.')
    process.exitCode = 130
    return
  }
  const inOrder = chosen.flatMap(({ name }) => results.filter((result) => result.name === name))
  const failed = inOrder.filter(({ counts }) => counts.failed > 0)
  const empty = inOrder.filter(({ counts }) => counts.failed === 0 && counts.passed === 0)
  say('\nSlowest files:')
  for (const line of slowestLines(files)) say(line)
  say(`\nTime of each kind, side by side; ${progress.age()} in all:`)
  for (const line of timeLines(inOrder)) say(line)
  for (const line of secondTryLines(firstFailures)) say(line)
  if (left.length > 0) {
    say('\nLeft running by a test, and ended now:')
    for (const command of left) say(`  ${command.slice(0, 200)}`)
  }
  if (failed.length > 0) {
    say('\nFailed:')
    for (const { name, counts } of failed) {
      for (const failure of counts.failures) say(`  ${name}  ${failure}`)
    }
  }
  for (const { name } of empty) say(`\n${name} ran no test at all; that counts as a failure.`)
  say('')
  for (const { name, counts } of inOrder) say(summaryLine(name, counts))
  process.exitCode = failed.length + empty.length + left.length > 0 ? 1 : 0
}
