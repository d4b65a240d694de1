/** Tells `npm test` how far a Playwright run is, on the pipe that it opened for that (run-job.mjs). */
import { tell } from './tell.mjs'

// oxlint-disable-next-line import/no-default-export -- Playwright takes a reporter by it
export default class {
  /**
   * @param {unknown} _config
   * @param {import('@playwright/test/reporter').Suite} suite
   */
  onBegin(_config, suite) {
    tell({ total: suite.allTests().length })
  }

  /**
   * @param {import('@playwright/test/reporter').TestCase} test
   * @param {import('@playwright/test/reporter').TestResult} result
   */
  onTestEnd(test, result) {
    const isExpected = result.status === test.expectedStatus
    tell({ done: 1, ...(isExpected ? {} : { failure: test.titlePath().slice(2).join(' > ') }) })
  }

  /** The list goes to stdout all the same. */
  printsToStdio() {
    return false
  }
}
