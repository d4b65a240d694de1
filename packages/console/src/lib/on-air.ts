/**
 * What is asked of the operator about things on air: whether to interrupt them, from when to when
 * something is on air, and what it is to do at which time. The dialogs are in shared/on-air and
 * schedules; one of them is open at a time.
 */
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { useSyncExternalStore } from 'react'
import type { ApiError } from './api-error.ts'
import type { Question } from './confirm.ts'
import { makeWatchers } from './watchers.ts'

/** Headers that confirm it; null to leave everything as it is. */
export type OnAirAnswer = Readonly<Record<string, string>> | null

export interface OnAirObject {
  kind: OnAirKind
  id: string
  title: string
  /** Of a channel. */
  stream?: { serverId: string; streamName: string }
}

/** `refusal`: an OnAirRefusal as it came; `question`: what would be asked if nothing were on air. */
type Asking =
  | {
      is: 'interruption'
      callName: string
      refusal: unknown
      question: Question | null
      answer: (answer: OnAirAnswer) => void
    }
  | { is: 'span'; object: OnAirObject }
  | { is: 'schedules'; object: OnAirObject }

let asking: Asking | null = null
const { watch, notify } = makeWatchers()

function become(next: Asking | null): void {
  if (asking?.is === 'interruption' && asking !== next) asking.answer(null)
  asking = next
  notify()
}

/** Resolves to null at once where the call failed for another reason. A second question means no to the first. */
export async function confirmOnAir(
  callName: string,
  { code, onAir }: ApiError,
): Promise<OnAirAnswer> {
  return code === 'on_air' ? askOf(callName, onAir, null) : null
}

async function askOf(
  callName: string,
  refusal: unknown,
  question: Question | null,
): Promise<OnAirAnswer> {
  const { promise, resolve } = Promise.withResolvers<OnAirAnswer>()
  become({ is: 'interruption', callName, refusal, question, answer: resolve })
  return promise
}

/** What was confirmed last, of calls that are still to be made: by what will be sent. */
const confirmed = new Map<string, Readonly<Record<string, string>>>()

/** A call with what is sent with it. */
interface Sent {
  call: string
  params?: unknown
  body?: unknown
}

function keyOf({ call, params, body }: Sent): string {
  return JSON.stringify([call, params ?? null, body ?? null])
}

/**
 * @returns true when the operator chose to interrupt what is on air; the next call of each kind carries
 * that, unless something else is asked first
 */
export async function confirmBeforeCalls(
  calls: readonly Sent[],
  refusal: unknown,
  question: Question,
): Promise<boolean> {
  const headers = await askOf(calls[0]?.call ?? '', refusal, question)
  if (headers !== null) for (const each of calls) confirmed.set(keyOf(each), headers)
  return headers !== null
}

/** Once: a second call of the same kind asks again. */
export function takeConfirmed(sent: Sent): Record<string, string> {
  // Most calls are made while nothing is confirmed.
  if (confirmed.size === 0) return {}
  const key = keyOf(sent)
  const headers = confirmed.get(key)
  confirmed.delete(key)
  return { ...headers }
}

/** Of calls that were confirmed and then not made. */
export function forgetConfirmed(): void {
  confirmed.clear()
}

/** Opens the dialog that puts the object on air or takes it off. */
export function editOnAir(object: OnAirObject): void {
  become({ is: 'span', object })
}

/** Opens the dialog of what the object does at which time. */
export function editSchedules(object: OnAirObject): void {
  become({ is: 'schedules', object })
}

/** Answers the open question with no. */
export function closeOnAir(): void {
  become(null)
}

/** For the one place that shows the dialogs (app/providers.tsx). */
export function useOnAirQuestion(): Asking | null {
  return useSyncExternalStore(watch, () => asking)
}
