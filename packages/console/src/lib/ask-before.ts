/**
 * Asks before a call that interrupts a stream: once. What it would interrupt of what is on air is asked
 * of the API first, so that the question names that and takes its title.
 */
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { Route } from '@trunkline/contract/route'
import { call, type CallInput } from './call.ts'
import { askFirst, askWhileLate, type Question, showWhile, wantsToBeAsked } from './confirm.ts'
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

/** A slower API is not waited for: its answer is shown when it comes, and the call itself is guarded. */
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
  const decided = new AbortController()
  const check = askApi(calls, decided.signal)
  const inTime = Promise.race([check, afterTheLimit()])
  if ((await isLate(inTime)) && !(await showWhile(question, inTime))) {
    decided.abort()
    return false
  }
  const refusal = await inTime
  if (refusal === null) return askFirst(question)
  if (refusal !== undefined) return confirmBeforeCalls(calls, refusal, question)
  const isYes = await askWhileLate(question, check.then(findingText))
  // Without an answer until now the call itself is refused, and asks then.
  const found = await Promise.race([check, Promise.resolve(null)])
  decided.abort()
  return isYes && found !== null ? confirmBeforeCalls(calls, found, question) : isYes
}

/** One line. Who loses it in another group is not named. */
function findingText(refusal: OnAirRefusal | null): string {
  if (refusal === null) return ''
  const titles = refusal.effects.map(({ title }) => title).join(', ')
  return titles === ''
    ? 'This interrupts what is on air in another group.'
    : `This interrupts what is on air: ${titles}`
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

async function afterTheLimit(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  setTimeout(() => resolve(undefined), ASK_LIMIT_MS)
  return promise
}

/** Null also where no answer comes, or not even the part of the console that asks. */
async function askApi(
  [first, ...others]: readonly Intended[],
  signal: AbortSignal,
): Promise<OnAirRefusal | null> {
  if (first === undefined) return null
  try {
    // With all that it is made of it would be too much for the first JavaScript of a page.
    const { askOnAir } = await import('@trunkline/contract/on-air/on-air.calls')
    return (await call(askOnAir, { body: { ...first, others }, signal })).data
  } catch {
    return null
  }
}
