/** Tells `npm test` how far a vitest run is, on the pipe that it opened for that (run-job.mjs). */
import { tell } from './tell.mjs'

// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter by it
export default class {
  /** @param {readonly unknown[]} files */
  onTestRunStart(files) {
    tell({ total: files.length })
  }

  onTestModuleEnd() {
    tell({ done: 1 })
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.result().state !== 'failed') return
    tell({ failure: `${test.module.relativeModuleId} > ${test.fullName}` })
  }
}
