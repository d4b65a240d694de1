/** Short notices at the corner of the screen. What they say is decided by actions and messages. */
import { useSyncExternalStore } from 'react'

export type ToastTone = 'success' | 'warning' | 'failure'

export interface Toast {
  id: number
  tone: ToastTone
  title: string
  /** A second line: our cause and fix beside a text that is fixed word for word. '' for none. */
  detail: string
  lastsMs: number
}

/** Q148; a notice under the pointer or the focus waits. */
const LASTS_MS: Record<ToastTone, number> = { success: 4000, warning: 6000, failure: 6000 }
const SHOWN_AT_ONCE = 3

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

function become(next: readonly Toast[]): void {
  toasts = next
  for (const watcher of watchers) watcher()
}

/** Newest first; the oldest makes room. The same notice twice is one notice, shown anew. */
export function showToast(tone: ToastTone, title: string, detail: string): void {
  lastId += 1
  const toast = { id: lastId, tone, title, detail, lastsMs: LASTS_MS[tone] }
  const others = toasts.filter((one) => one.title !== title || one.detail !== detail)
  become([toast, ...others].slice(0, SHOWN_AT_ONCE))
}

export function closeToast(id: number): void {
  become(toasts.filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  become([])
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => toasts,
  )
}
