/**
 * The rate of a stream over the last seconds, from counted bytes and the times of the counts
 * themselves. Pure. A tool's own rate counts headers and repeats, and is smoothed or of one second
 * only: a constant stream reads 4 to 15 % off (measured); counted over ten seconds it is within 1 %.
 */
export const RATE_WINDOW_MS = 10_000

interface RateMark {
  atMs: number
  /** Sum since the program started. */
  bytes: number
}

/** Oldest first. */
export type RateWindow = readonly RateMark[]

/** Lines of one round of a tool are written at once. */
const SAME_MOMENT_MS = 20

/** With one more count. A sum or a time that falls is a new process: the window begins again. */
export function withMark(window: RateWindow, mark: RateMark): RateWindow {
  const last = window.at(-1)
  if (last === undefined || mark.bytes < last.bytes || mark.atMs < last.atMs) return [mark]
  if (mark.atMs - last.atMs < SAME_MOMENT_MS) {
    return [...window.slice(0, -1), { ...last, bytes: mark.bytes }]
  }
  const kept = window.filter(({ atMs }) => mark.atMs - atMs <= RATE_WINDOW_MS)
  return [...(kept.length > 0 ? kept : [last]), mark]
}

/** Nothing came since the mark before: what was before it is no part of the rate any more. */
export function isStill(window: RateWindow): boolean {
  const [before, last] = window.slice(-2)
  return before !== undefined && last !== undefined && before.bytes === last.bytes
}

/** Null while there is one mark alone. Bits in a millisecond are kbit/s. */
export function kbpsOf(window: RateWindow): number | null {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  return ((last.bytes - first.bytes) * 8) / (last.atMs - first.atMs)
}
