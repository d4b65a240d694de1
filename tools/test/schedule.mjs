/** Runs pieces of work side by side so that the cores of the machine are full and no more. */

/**
 * What two cores carry. A machine with more runs the same: most of what waits, waits for media.
 */
export const CORES = 2

/**
 * @typedef {object} Piece
 * @property {number} weightCores
 * @property {boolean} [fills] it may start beside what fits no more, where a core is idle all the same
 *
 * @typedef {object} Idle
 * @property {() => boolean} isSpare whether a core has been idle, all taken together, since `begin`
 * @property {() => void} begin something was started: what was seen before tells nothing of now
 * @property {() => Promise<void>} look resolves when it may be another by now
 */

/**
 * Starts the pieces in their order, each as soon as its weight fits beside what runs; a lighter one
 * may overtake a heavier one that does not fit yet. A job that is heavier than the whole runs
 * alone. How fast a machine computes and how long media takes are two things: on a fast one what fits
 * leaves a core idle, which goes to a piece that fills.
 * @template {Piece} T
 * @param {readonly T[]} pieces
 * @param {number} cores
 * @param {Idle} idle
 * @param {(piece: T) => Promise<void>} run must not reject
 * @returns {Promise<void>} when all have ended
 */
export async function runWeighted(pieces, cores, idle, run) {
  const waiting = [...pieces]
  /** @type {Map<T, Promise<void>>} */
  const running = new Map()
  /** @type {Set<T>} beside what fits: they take what that leaves, and so weigh nothing */
  const filling = new Set()
  while (waiting.length + running.size > 0) {
    const filler = idle.isSpare() ? waiting.find(({ fills }) => fills === true) : undefined
    const next = nextToStart(waiting, [...running.keys()], cores, filling) ?? filler
    if (next === undefined) {
      await Promise.race([...running.values(), idle.look()])
      continue
    }
    if (next === filler) filling.add(next)
    waiting.splice(waiting.indexOf(next), 1)
    running.set(
      next,
      run(next).finally(() => running.delete(next)),
    )
    idle.begin()
  }
}

/**
 * Pure.
 * @template {Piece} T
 * @param {readonly T[]} waiting
 * @param {readonly T[]} running
 * @param {number} cores
 * @param {ReadonlySet<T>} filling of those that run; what needs all cores runs beside none of them
 * @returns {T | undefined}
 */
export function nextToStart(waiting, running, cores, filling) {
  if (running.length === 0) return waiting[0]
  const used = running
    .filter((piece) => !filling.has(piece))
    .reduce((total, { weightCores }) => total + weightCores, 0)
  // Sums of tenths are not exact in binary.
  return waiting.find(
    ({ weightCores }) => weightCores < cores && used + weightCores <= cores + 1e-9,
  )
}
