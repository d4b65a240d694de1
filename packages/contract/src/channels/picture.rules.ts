/** Whether a picture moves, stands or is black, from a few of its points looked at now and then. */

/** Red, green, blue and opacity of each point, row by row. */
export type Points = Uint8ClampedArray

/** Darker than this is black, also where the coding left some noise; of 255. */
const BLACK_BELOW = 32
/** What the coding of a still picture changes by itself; of 255. */
const NOISE = 4
/** A presenter may hold still for a breath. */
export const STILL_AFTER_MS = 6000

export type PictureState =
  | { kind: 'moving' }
  /** The moment it was first seen so. */
  | { kind: 'still' | 'black'; sinceMs: number }

export interface PictureMemory {
  points: Points
  /** Since when nothing has changed, and since when it is black; null for not at all. */
  stillSinceMs: number
  blackSinceMs: number | null
}

/** `before` null: the first look. */
export function lookAgain(
  before: PictureMemory | null,
  points: Points,
  nowMs: number,
): PictureMemory {
  const isSame = before !== null && !differs(before.points, points)
  return {
    // The older one, lest a slow fade counts as no change at all.
    points: isSame ? before.points : points,
    stillSinceMs: isSame ? before.stillSinceMs : nowMs,
    blackSinceMs: isBlack(points) ? (before?.blackSinceMs ?? nowMs) : null,
  }
}

/** Null: not checked for long enough to say. */
export function stateOfPicture(memory: PictureMemory, nowMs: number): PictureState | null {
  const { blackSinceMs, stillSinceMs } = memory
  if (blackSinceMs !== null) return { kind: 'black', sinceMs: blackSinceMs }
  if (nowMs - stillSinceMs >= STILL_AFTER_MS) return { kind: 'still', sinceMs: stillSinceMs }
  return { kind: 'moving' }
}

function differs(a: Points, b: Points): boolean {
  return a.some((value, at) => Math.abs(value - (b[at] ?? 0)) > NOISE)
}

function isBlack(points: Points): boolean {
  return points.every((value, at) => at % 4 === 3 || value < BLACK_BELOW)
}
