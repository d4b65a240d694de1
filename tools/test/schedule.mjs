/** Runs pieces of work side by side so that the cores of the machine are full and no more. */

/**
 * What two cores carry. A machine with more runs the same: most of what waits, waits for media.
 */
export const CORES = 2

/**
 * Starts the pieces in their order, each as soon as its weight fits beside what runs; a lighter one
 * may overtake a heavier one that does not fit yet. A job that is heavier than the whole runs
 * alone.
 * @template {{ weightCores: number }} T
 * @param {readonly T[]} pieces
 * @param {number} cores
 * @param {(piece: T) => Promise<void>} run must not reject
 * @returns {Promise<void>} when all have ended
 */
export async function runWeighted(pieces, cores, run) {
  const waiting = [...pieces]
  /** @type {Map<T, Promise<void>>} */
  const running = new Map()
  while (waiting.length + running.size > 0) {
    const next = nextToStart(waiting, [...running.keys()], cores)
    if (next === undefined) {
      await Promise.race(running.values())
      continue
    }
    waiting.splice(waiting.indexOf(next), 1)
    running.set(
      next,
      run(next).finally(() => running.delete(next)),
    )
  }
}

/**
 * Pure.
 * @template {{ weightCores: number }} T
 * @param {readonly T[]} waiting
 * @param {readonly T[]} running
 * @param {number} cores
 * @returns {T | undefined}
 */
export function nextToStart(waiting, running, cores) {
  if (running.length === 0) return waiting[0]
  const used = running.reduce((total, { weightCores }) => total + weightCores, 0)
  // Sums of tenths are not exact in binary.
  return waiting.find(({ weightCores }) => used + weightCores <= cores + 1e-9)
}
