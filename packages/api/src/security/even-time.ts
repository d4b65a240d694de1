/** Answers whose time must not tell what was found: an account that exists costs a row and a longer line of audit. */

/** Several times the work of a password, and too short to be noticed. */
export const STEP_MS = 50

/** Resolves at the next full step since `beganMs` (of performance.now()), so that tenths of a millisecond are hidden. */
export async function atNextStep(beganMs: number): Promise<void> {
  const waitMs = STEP_MS - ((performance.now() - beganMs) % STEP_MS)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
}
