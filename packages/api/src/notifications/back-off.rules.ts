/** When a message that was not taken is tried again, and when no more. Pure. */

const MINUTE_MS = 60_000
const STEPS_MS: readonly number[] = [10_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]
const LONGEST_STEP_MS = 60 * MINUTE_MS
/** An alarm of so long ago is no news any more. */
const TRIED_FOR_MS = 8 * 60 * MINUTE_MS

/** After so many tries, of which the last failed at `nowMs`; null: it is given up. */
export function nextTryAtMs(attempts: number, createdAtMs: number, nowMs: number): number | null {
  const atMs = nowMs + (STEPS_MS[attempts - 1] ?? LONGEST_STEP_MS)
  return atMs - createdAtMs > TRIED_FOR_MS ? null : atMs
}
