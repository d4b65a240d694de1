/**
 * Asks before a call that interrupts a stream: once. What it would interrupt of what is on air is asked
 * of the API first, so that the question names that and takes its title.
 */
import type { Route } from '@trunkline/contract/route'
import { call, type CallInput } from './call.ts'
import { askFirst, type Question, wantsToBeAsked } from './confirm.ts'
import { confirmBeforeCall, type SentParts } from './on-air.ts'

/** A call as it will be made if the operator says yes. */
export interface Intended {
  name: string
  sent: SentParts
}

export function intend<T extends Route>(route: T, input: CallInput<T>): Intended {
  const { params, body } = input as SentParts
  return { name: route.name, sent: { params, body } }
}

/** An API that is slower than this is not waited for: the call itself is still guarded. */
const ASK_LIMIT_MS = 2000

/** @returns true only when the operator chose to do it */
export async function askBefore(intended: Intended, question: Question): Promise<boolean> {
  const { name, sent } = intended
  const refusal = await refusalOf(intended)
  return refusal === null ? askFirst(question) : confirmBeforeCall(name, sent, refusal, question)
}

/** As `askWhoWants`: without the wish the call is made at once, and asks only about what is on air. */
export async function askBeforeIfWanted(intended: Intended, question: Question): Promise<boolean> {
  return wantsToBeAsked() ? askBefore(intended, question) : true
}

async function refusalOf({ name, sent }: Intended): Promise<unknown> {
  try {
    // With all that it is made of it would be too much for the first JavaScript of a page.
    const { askOnAir } = await import('@trunkline/contract/on-air/on-air.calls')
    const signal = AbortSignal.timeout(ASK_LIMIT_MS)
    return (await call(askOnAir, { body: { call: name, ...sent }, signal })).data
  } catch {
    return null
  }
}
