/** Changes that the API has not answered for a while. */
import { useSyncExternalStore } from 'react'
import { makeWatchers } from '../watchers.ts'

/** A host has two seconds to carry out a command (decisions.md 15): what takes no longer is not late. */
export const LATE_AFTER_MS = 2500

interface AwaitedChange {
  /** By this browser's clock. */
  sentMs: number
  isLate: boolean
}

/** The changes that are not answered, the first one first. */
const awaited = new Set<AwaitedChange>()
const { watch, notify } = makeWatchers()

/** @returns the answer; while it is late, `useLateSince` says so */
export async function watchAnswer<T>(answer: Promise<T>): Promise<T> {
  const change = { sentMs: Date.now(), isLate: false }
  awaited.add(change)
  const timer = setTimeout(() => {
    change.isLate = true
    notify()
  }, LATE_AFTER_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
    if (awaited.delete(change) && change.isLate) notify()
  }
}

/** When the change was sent that is waited for longest; null while no answer is late. */
export function useLateSince(): number | null {
  return useSyncExternalStore(watch, () => {
    for (const { sentMs, isLate } of awaited) if (isLate) return sentMs
    return null
  })
}

/** A test that ends before its answers leaves none of them late in the next. */
export function forgetAwaited(): void {
  awaited.clear()
  notify()
}
