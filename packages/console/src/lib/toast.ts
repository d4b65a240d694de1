/** Short notices at the corner of the screen. What they say is decided by actions and messages. */
import { useSyncExternalStore } from 'react'

/** What a notice offers to do; doing it closes the notice. */
export interface ToastAction {
  label: string
  does: () => void
}

export type ToastTone = 'success' | 'warning' | 'failure'

export interface Toast {
  id: number
  tone: ToastTone
  title: string
  /** A second line: our cause and fix beside a text that is fixed word for word. '' for none. */
  detail: string
  lastsMs: number
  /** In place of the cross; empty for the cross alone. Such a notice shows how long it stays. */
  actions: readonly ToastAction[]
}

/** Q148; a notice under the pointer or the focus waits. */
const LASTS_MS: Record<ToastTone, number> = { success: 4000, warning: 6000, failure: 6000 }
/** CON-IN-33: a notice that offers something stays longer. */
export const OFFER_LASTS_MS = 7000
const SHOWN_AT_ONCE = 3

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

function become(next: readonly Toast[]): void {
  toasts = next
  for (const watcher of watchers) watcher()
}

export function showToast(tone: ToastTone, title: string, detail: string): void {
  show({ tone, title, detail, lastsMs: LASTS_MS[tone], actions: [] })
}

/** A notice with buttons of its own; one of them should close it and do nothing else. */
export function showOffer(
  tone: ToastTone,
  title: string,
  detail: string,
  actions: readonly ToastAction[],
): void {
  show({ tone, title, detail, lastsMs: OFFER_LASTS_MS, actions })
}

/** Newest first; the oldest makes room. The same notice twice is one notice, shown anew. */
function show(notice: Omit<Toast, 'id'>): void {
  lastId += 1
  const toast = { id: lastId, ...notice }
  const { title, detail } = notice
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
