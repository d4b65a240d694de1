/**
 * `npm test`: makes the machine ready, builds, and runs every kind of test, also after one failed.
 * What fails on real media or in the real browser is tried once more, and told (docs/adr/0013). It
 * ends with one line per kind. `npm test -- api browser` runs only the kinds that are named.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { say } from './say.mjs'
import { giveUp, setup } from './setup.mjs'
import { sum, summaryLine } from './test/counts.mjs'
import { kinds } from './test/kinds.mjs'
import { runJob } from './test/run-job.mjs'
import { secondTryLines } from './test/second-try.mjs'

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
/** @type {string[]} what failed at first and was tried again */
const firstFailures = []
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
  for (const job of kind.jobs(reportFile)) {
    const result = await runJob(job, kind.name, reportFile)
    counts.push(result.counts)
    firstFailures.push(...result.firstFailures.map((failure) => `${kind.name}  ${failure}`))
  }
  say(`== ${kind.name} took ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return sum(counts)
}

function finish() {
  const failed = results.filter(({ counts }) => counts.failed > 0)
  const empty = results.filter(({ counts }) => counts.failed === 0 && counts.passed === 0)
  for (const line of secondTryLines(firstFailures)) say(line)
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
