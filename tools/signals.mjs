/** Hands the signals that end this process to the one child that does the work. */

/** A Ctrl-C arrives twice under npm, from the terminal and from npm: the second one is the same. */
const SAME_PRESS_MS = 2000

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * After this the process no longer ends by a signal: it ends when its child has ended. A closed
 * terminal (SIGHUP) is handed on as SIGTERM.
 * @param {import('node:child_process').ChildProcess} child
 * @returns lets go of them again
 */
export function forwardSignals(child) {
  let lastMs = -Infinity
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < SAME_PRESS_MS) return
    lastMs = nowMs
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  return () => {
    for (const signal of SIGNALS) process.off(signal, forward)
  }
}
