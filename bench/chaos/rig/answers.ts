/** What calls that were made at the same moment were answered. */
import { CallFailed } from '@trunkline/testbed/api-client'
import type { Failure } from '@trunkline/contract/failure.schema'

export interface Answers<T> {
  taken: T[]
  /** By a sentence, 400 to 499. */
  refused: Failure[]
  /** Anything else: a fault of the API, or no answer. */
  broken: string[]
}

export async function allAnswers<T>(calls: readonly Promise<T>[]): Promise<Answers<T>> {
  const answers: Answers<T> = { taken: [], refused: [], broken: [] }
  for (const settled of await Promise.allSettled(calls)) {
    if (settled.status === 'fulfilled') answers.taken.push(settled.value)
    else if (isRefusal(settled.reason)) answers.refused.push(settled.reason.failure)
    else answers.broken.push(String(settled.reason))
  }
  return answers
}

function isRefusal(reason: unknown): reason is CallFailed {
  return reason instanceof CallFailed && reason.httpStatus >= 400 && reason.httpStatus < 500
}
