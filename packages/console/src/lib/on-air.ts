/**
 * What is asked of the operator about things on air: whether to interrupt them, and from when to when
 * something is on air. The dialogs are in shared/on-air; one of them is open at a time.
 */
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { useSyncExternalStore } from 'react'
import type { ApiError } from './api-error.ts'

/** Headers that confirm it; null to leave everything as it is. */
export type OnAirAnswer = Readonly<Record<string, string>> | null

export interface OnAirObject {
  kind: OnAirKind
  id: string
  title: string
}

/** `refusal`: an OnAirRefusal as it came. */
type Asking =
  | {
      is: 'interruption'
      callName: string
      refusal: unknown
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
  if (code !== 'on_air') return null
  const { promise, resolve } = Promise.withResolvers<OnAirAnswer>()
  become({ is: 'interruption', callName, refusal: onAir, answer: resolve })
  return promise
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
