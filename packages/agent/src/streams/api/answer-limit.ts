/** How long a call of the streamer API waits for the programs that it changes. */
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The console waits five seconds for a media server, and would call a busy host unreachable whose
 * programs take longer to end and to start.
 */
export const LATEST_ANSWER_MS = 4000

/**
 * Answers what `work` comes to. From `begin` on nothing can refuse it any more: then it is answered
 * with what `begin` was given as soon as `limitMs` have passed since the call, and a failure after
 * that goes to `onLate`. Throws what `work` throws before.
 */
export async function withinLimit<T>(
  limitMs: number,
  work: (begin: (begun: T) => void) => Promise<T>,
  onLate: (error: unknown) => void,
): Promise<T> {
  const begun = Promise.withResolvers<T>()
  const limit = pause(limitMs, undefined, { ref: false })
  let isAnswered = false
  const done = work(begun.resolve).catch(async (error: unknown) => {
    if (!isAnswered) throw error
    onLate(error)
    return begun.promise
  })
  const late = begun.promise.then(async (so) => {
    await limit
    return so
  })
  try {
    return await Promise.race([done, late])
  } finally {
    isAnswered = true
  }
}
