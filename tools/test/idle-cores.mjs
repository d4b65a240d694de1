/** How much of the machine was idle of late. */
import { cpus } from 'node:os'

/**
 * So long it must have been idle: what was started needs some seconds to show what it takes, and files that wait for
 * media at the same time leave a slow machine idle for half a minute, too.
 */
const SEEN_MS = 60_000
const LOOK_MS = 5000
/**
 * Of all cores together. What fills has the lowest priority, and gets this much or a little more. Quick
 * machines had 0.5 to 1.0 idle beside the tests of the agent and of whole sites; one that takes twice as
 * long has none.
 */
const SPARE_CORES = 0.5

/**
 * @param {() => { idleMs: number, atMs: number }} [read]
 * @returns {import('./schedule.mjs').Idle}
 */
export function watchIdle(read = readIdle) {
  let from = read()
  return {
    begin: () => {
      from = read()
    },
    isSpare: () => {
      const now = read()
      const seenMs = now.atMs - from.atMs
      if (seenMs < SEEN_MS) return false
      const idleCores = (now.idleMs - from.idleMs) / seenMs
      from = now
      return idleCores >= SPARE_CORES
    },
    look: () => new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref()),
  }
}

/** @returns {{ idleMs: number, atMs: number }} `idleMs`: of all cores, since the machine started */
function readIdle() {
  const idleMs = cpus().reduce((total, { times }) => total + times.idle, 0)
  return { idleMs, atMs: performance.now() }
}
