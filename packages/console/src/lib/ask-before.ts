/**
 * Asks before a call that interrupts a stream: once. What it would interrupt of what is on air is asked
 * of the API first, so that the question names that and takes its title.
 */
import type { Route } from '@trunkline/contract/route'
import { call, type CallInput } from './call.ts'
import { askFirst, type Question, showWhile, wantsToBeAsked } from './confirm.ts'
import { confirmBeforeCalls, forgetConfirmed } from './on-air.ts'

/** A call as it will be made if the operator says yes; its name, its parameters, its body. */
export interface Intended {
  call: string
  params: unknown
  body: unknown
}

export function intend<T extends Route>(route: T, input: CallInput<T>): Intended {
  const { params, body } = input as Partial<Intended>
  return { call: route.name, params, body }
}

/** An API that is slower than this is not waited for: the call itself is still guarded. */
const ASK_LIMIT_MS = 2000
/** A question that changes as soon as it is there would flicker. */
const SHOWN_AFTER_MS = 100

/**
 * `intended`: the call that follows, or all of them: the question names the first of them.
 * @returns true only when the operator chose to do it
 */
export async function askBefore(
  intended: Intended | readonly Intended[],
  question: Question,
): Promise<boolean> {
  // What an earlier question confirmed and was not sent is asked about again.
  forgetConfirmed()
  const calls = [intended].flat()
  const check = refusalOf(calls)
  if ((await isLate(check)) && !(await showWhile(question, check))) return false
  const refusal = await check
  return refusal === null ? askFirst(question) : confirmBeforeCalls(calls, refusal, question)
}

async function isLate(check: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  setTimeout(() => resolve(true), SHOWN_AFTER_MS)
  void check.then(() => resolve(false))
  return promise
}

/** As `askWhoWants`: without the wish the call is made at once, and asks only about what is on air. */
export async function askBeforeIfWanted(intended: Intended, question: Question): Promise<boolean> {
  return wantsToBeAsked() ? askBefore(intended, question) : true
}

/** Null also where no answer comes in time, or not even the part of the console that asks. */
async function refusalOf(calls: readonly Intended[]): Promise<unknown> {
  const signal = AbortSignal.timeout(ASK_LIMIT_MS)
  const { promise: late, resolve } = Promise.withResolvers<null>()
  signal.addEventListener('abort', () => resolve(null))
  return Promise.race([askApi(calls, signal), late])
}

async function askApi([first, ...others]: readonly Intended[], signal: AbortSignal) {
  if (first === undefined) return null
  try {
    // With all that it is made of it would be too much for the first JavaScript of a page.
    const { askOnAir } = await import('@trunkline/contract/on-air/on-air.calls')
    return (await call(askOnAir, { body: { ...first, others }, signal })).data
  } catch {
    return null
  }
}
