/**
 * Tries at the password of one account from everywhere: some at once, and one more every fifteen
 * seconds. So in any ten minutes at most `most` + 40 are looked at, however they are spread.
 */

/** Long enough that a flood stays slow, short enough that an owner waits for a turn. */
const STEP_MS = 15_000

export interface TryBucket {
  /** Whether nothing is left, so that a try waits for its turn. */
  isEmpty(): boolean
  /** When the next try may be looked at; now or earlier while something is left. */
  nextAtMs(): number
  /** Counts a try. */
  take(): void
  /** It was no guess. */
  giveBack(): void
}

/** `most`: tries at once. */
export function createTryBucket(most: number, clock: () => number): TryBucket {
  // When it is full again; every try moves this by a step.
  let fullAtMs = 0
  const fullAt = () => {
    const nowMs = clock()
    // Later than that, a step allowed for a timer that fires early, it is only after the clock was set back.
    if (fullAtMs > nowMs + (most + 1) * STEP_MS) fullAtMs = nowMs + (most - 1) * STEP_MS
    return Math.max(fullAtMs, nowMs)
  }
  const nextAtMs = () => fullAt() - (most - 1) * STEP_MS
  return {
    isEmpty: () => nextAtMs() > clock(),
    nextAtMs,
    take() {
      fullAtMs = fullAt() + STEP_MS
    },
    giveBack() {
      fullAtMs = fullAt() - STEP_MS
    },
  }
}
