/** The way from a reporter to `npm test`. */
import { writeSync } from 'node:fs'

/** The file descriptor that run-job.mjs opens for it. */
const PIPE = 3

/** @param {import('./progress.mjs').ProgressEvent} event */
export function tell(event) {
  writeSync(PIPE, `${JSON.stringify(event)}\n`)
}
