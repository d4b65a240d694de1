/** Runs pieces of work side by side so that the cores of the machine are full and no more. */

/**
 * What two cores carry. A machine with more runs the same: most of what waits, waits for media.
 */
export const CORES = 2

/**
 * @typedef {object} Piece
 * @property {number} weightCores
 * @property {boolean} [waits] for media, and may leave idle what its weight takes
 * @property {boolean} [fills] it may start before its turn, where all that has its place by weight waits
 *
 * @typedef {object} Idle
 * @property {() => boolean} isSpare whether enough was idle for some time, and since `begin`
 * @property {() => void} begin something was started: what was seen before tells nothing of now
 * @property {() => Promise<void>} look resolves when it may be another by now
 */

/**
 * Starts the pieces in their order, each as soon as its weight fits beside what runs; what needs all
 * cores, or more, runs alone. How fast a machine computes and how long media takes are two things: on a
 * quick one what fits leaves much idle, which goes to a piece that fills.
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
    const placed = [...running.keys()].filter((piece) => !filling.has(piece))
    const mayFill = placed.every(({ waits }) => waits === true) && idle.isSpare()
    const filler = mayFill ? waiting.find(({ fills }) => fills === true) : undefined
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
export function nextToStart([next], running, cores, filling) {
  if (running.length === 0 || next === undefined) return next
  const used = running
    .filter((piece) => !filling.has(piece))
    .reduce((total, { weightCores }) => total + weightCores, next.weightCores)
  // Sums of tenths are not exact in binary.
  return next.weightCores < cores && used <= cores + 1e-9 ? next : undefined
}
