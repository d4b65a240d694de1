/** Repeats a question until the command is interrupted, also while the API is started again. */
import { setTimeout } from 'node:timers/promises'
import { CallRefused } from '../api.client.ts'

/** As often as the live stream gives a sign of life. */
const PACE_MS = 2000
const LEAST_ANSWERED_WRONG = 500

/**
 * `ask` is called at once and then every 2 s. `say` is given a sentence when the API stops answering,
 * and when it answers again. Throws what the API refuses; ends with `signal`.
 */
export async function follow(
  ask: () => Promise<void>,
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let isSilent = false
  while (!signal.aborted) {
    try {
      await ask()
      if (isSilent) say('The API answers again.')
      isSilent = false
    } catch (error) {
      if (!isPassing(error)) throw error
      if (!isSilent) say(`${error.message} Trying again until it does.`)
      isSilent = true
    }
    await setTimeout(PACE_MS, null, { signal }).catch(() => {})
  }
}

/** Nobody answered, or an API that is being started or stopped did. */
function isPassing(error: unknown): error is CallRefused {
  if (!(error instanceof CallRefused)) return false
  const { httpStatus } = error
  return httpStatus === 0 || httpStatus === 429 || httpStatus >= LEAST_ANSWERED_WRONG
}
