/**
 * What is asked of the operator about things on air: whether to interrupt them, and from when to when
 * something is on air. The dialogs are in shared/on-air; one of them is open at a time.
 */
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { useSyncExternalStore } from 'react'
import type { ApiError } from './api-error.ts'
import type { Question } from './confirm.ts'

/** Headers that confirm it; null to leave everything as it is. */
export type OnAirAnswer = Readonly<Record<string, string>> | null

export interface OnAirObject {
  kind: OnAirKind
  id: string
  title: string
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

let asking: Asking | null = null
const watchers = new Set<() => void>()

function become(next: Asking | null): void {
  if (asking?.is === 'interruption' && asking !== next) asking.answer(null)
  asking = next
  for (const watcher of watchers) watcher()
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

/** What was confirmed last, before its call is made: `key` says what will be sent. */
let confirmed: { key: string; headers: Readonly<Record<string, string>> } | null = null

function keyOf(callName: string, { params, body }: SentParts): string {
  return JSON.stringify([callName, params ?? null, body ?? null])
}

export interface SentParts {
  params?: unknown
  body?: unknown
}

/** @returns true when the operator chose to interrupt what is on air; the next such call carries that */
export async function confirmBeforeCall(
  callName: string,
  sent: SentParts,
  refusal: unknown,
  question: Question,
): Promise<boolean> {
  const headers = await askOf(callName, refusal, question)
  confirmed = headers && { key: keyOf(callName, sent), headers }
  return headers !== null
}

/** Once: a second call of the same kind asks again. */
export function takeConfirmed(callName: string, sent: SentParts): Record<string, string> {
  if (confirmed === null || confirmed.key !== keyOf(callName, sent)) return {}
  const { headers } = confirmed
  confirmed = null
  return headers
}

/** Opens the dialog that puts the object on air or takes it off. */
export function editOnAir(object: OnAirObject): void {
  become({ is: 'span', object })
}

/** Answers the open question with no. */
export function closeOnAir(): void {
  become(null)
}

/** For the one place that shows the dialogs (app/providers.tsx). */
export function useOnAirQuestion(): Asking | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => asking,
  )
}
