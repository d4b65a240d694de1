/** Changes that the API has not answered for a while. */
import { useSyncExternalStore } from 'react'
import { makeWatchers } from '../watchers.ts'

/** A host has two seconds to carry out a command (decisions.md 15): what takes no longer is not late. */
export const LATE_AFTER_MS = 2500

/** When each of them was sent, the first one first, by this browser's clock. */
const late = new Map<symbol, number>()
const { watch, notify } = makeWatchers()

/** @returns the answer; while it is late, `useLateSince` says so */
export async function watchAnswer<T>(answer: Promise<T>): Promise<T> {
  const id = Symbol('call')
  const sentMs = Date.now()
  const timer = setTimeout(() => {
    late.set(id, sentMs)
    notify()
  }, LATE_AFTER_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
    if (late.delete(id)) notify()
  }
}

/** When the change was sent that is waited for longest; null while no answer is late. */
export function useLateSince(): number | null {
  return useSyncExternalStore(watch, () => late.values().next().value ?? null)
}
