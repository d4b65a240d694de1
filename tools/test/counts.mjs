/** Reads how many tests passed and failed from the reports of the test programs. Pure. */

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures what failed, one or two lines each, for the end of a long log
 */

/** @type {Counts} */
export const none = { passed: 0, failed: 0, failures: [] }

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] | null }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, startTime?: number, endTime?: number, assertionResults: VitestTest[] }} VitestFile
 */

/**
 * @typedef {Counts & { file: string, durationMs: number }} FileCounts of one file, named from the
 * repository's root; '' when the program named none
 */

/**
 * A skipped test counts as failed: it proves nothing, and nobody looks at it again. So does a file
 * that could not even be loaded, which vitest reports as failed without any test in it.
 * @param {unknown} report what vitest's json reporter wrote
 * @returns {FileCounts[]}
 */
export function countVitest(report) {
  const { testResults = [] } = /** @type {{ testResults?: VitestFile[] }} */ (report ?? {})
  return testResults.map((result) => {
    const file = shortPath(result.name)
    const tests = result.assertionResults
    const failures = tests
      .filter((test) => test.status !== 'passed')
      .map((test) => `${file} > ${test.fullName}${reason(test.failureMessages?.[0], test.status)}`)
    if (result.status === 'failed' && failures.length === 0) {
      failures.push(`${file}${reason(result.message, 'could not be run')}`)
    }
    const passed = tests.filter((test) => test.status === 'passed').length
    const durationMs = (result.endTime ?? 0) - (result.startTime ?? 0)
    return { file, durationMs, passed, failed: failures.length, failures }
  })
}

/**
 * @typedef {{ title: string, file: string, line: number, tests: { status: string, results: { duration?: number, error?: { message?: string } }[] }[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 */

/**
 * A test that passed only when repeated ('flaky') counts as failed: whether one may be repeated is
 * for `npm test` to say (second-try.mjs).
 * @param {unknown} report what Playwright's json reporter wrote
 * @returns {FileCounts[]}
 */
export function countPlaywright(report) {
  const { suites = [], errors = [] } =
    /** @type {{ suites?: PlaywrightSuite[], errors?: { message?: string }[] }} */ (report ?? {})
  const ofTests = specsOf(suites).flatMap((spec) =>
    spec.tests.map((test) => {
      const file = `e2e/${spec.file}`
      const durationMs = test.results.reduce((total, { duration = 0 }) => total + duration, 0)
      if (test.status === 'expected')
        return { file, durationMs, passed: 1, failed: 0, failures: [] }
      const message = test.results.find((result) => result.error !== undefined)?.error?.message
      const name = `${file}:${spec.line} > ${spec.title}`
      const failures = [`${name}${reason(message, test.status)}`]
      return { file, durationMs, passed: 0, failed: 1, failures }
    }),
  )
  const ofFiles = errors.map((error) => ({
    file: '',
    durationMs: 0,
    passed: 0,
    failed: 1,
    failures: [`e2e${reason(error.message, 'could not be run')}`],
  }))
  const all = [...ofTests, ...ofFiles]
  const files = new Set(all.map(({ file }) => file))
  return [...files].map((file) => {
    const ofFile = all.filter((counts) => counts.file === file)
    const durationMs = ofFile.reduce((total, counts) => total + counts.durationMs, 0)
    return { file, durationMs, ...sum(ofFile) }
  })
}

/**
 * @param {readonly PlaywrightSuite[]} suites
 * @returns {PlaywrightSpec[]}
 */
function specsOf(suites) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites ?? [])])
}

/**
 * The counts of one kind: what its report says, corrected by how the program ended. A program that
 * fails without naming a failed test (it crashed, or an error came after the last test) counts one.
 * @param {Counts} counted
 * @param {boolean} endedWell
 * @param {string} title
 * @returns {Counts}
 */
export function withExit(counted, endedWell, title) {
  if (endedWell || counted.failed > 0) return counted
  return { ...counted, failed: 1, failures: [`${title} failed; see its output above`] }
}

/**
 * @param {readonly Counts[]} many
 * @returns {Counts}
 */
export function sum(many) {
  return {
    passed: many.reduce((total, counts) => total + counts.passed, 0),
    failed: many.reduce((total, counts) => total + counts.failed, 0),
    failures: many.flatMap((counts) => counts.failures),
  }
}

/**
 * The one line per kind that ends the run; other programs read it, its form is fixed.
 * @param {string} kind
 * @param {Counts} counts
 */
export function summaryLine(kind, counts) {
  return `${kind}: ${counts.passed} passed, ${counts.failed} failed`
}

/**
 * @param {string | undefined} message
 * @param {string} otherwise
 */
function reason(message, otherwise) {
  // Colours of the terminal have no place in a list that is read in a log.
  // oxlint-disable-next-line no-control-regex
  const plain = (message ?? '').replace(/\u001b\[[0-9;]*m/g, '')
  const first = plain.split('\n').find((line) => line.trim() !== '') ?? otherwise
  return `\n      ${first.trim().slice(0, 300)}`
}

/** @param {string} path */
function shortPath(path) {
  return path.replace(/^.*\/(?=(packages|tools|bench|e2e)\/)/, '')
}
