/** Short notices at the corner of the screen. What they say is decided by actions and messages. */
import { useSyncExternalStore } from 'react'
import { makeWatchers } from './watchers.ts'

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
  /** What it offers to undo is about, such as 'channel a1'; '' without Undo. */
  object: string
}

/** Q148; a notice under the pointer or the focus waits. */
const LASTS_MS: Record<ToastTone, number> = { success: 4000, warning: 6000, failure: 6000 }
/** CON-IN-33: a notice that offers something stays longer. */
export const OFFER_LASTS_MS = 7000
/** Of what interrupts a stream at once (decisions.md 40). */
export const UNDO_LASTS_MS = 10_000
const SHOWN_AT_ONCE = 3

let toasts: readonly Toast[] = []
let lastId = 0
const { watch, notify } = makeWatchers()

function become(next: readonly Toast[]): void {
  toasts = next
  notify()
}

export function showToast(tone: ToastTone, title: string, detail: string): void {
  show({ tone, title, detail, lastsMs: LASTS_MS[tone], actions: [], object: '' })
}

/** A notice with buttons of its own; one of them should close it and do nothing else. */
export function showOffer(
  tone: ToastTone,
  title: string,
  detail: string,
  actions: readonly ToastAction[],
): void {
  show({ tone, title, detail, lastsMs: OFFER_LASTS_MS, actions, object: '' })
}

interface Undoable {
  title: string
  detail: string
  /** The object that was changed: a newer Undo of the same one takes the place of this. */
  object: string
  undo: () => void
}

/** Says what was done, and offers to take it back for 10 s. */
export function showUndo({ title, detail, object, undo }: Undoable): void {
  dropUndo(object)
  const actions = [
    { label: 'Undo', does: undo },
    { label: 'Close', does: () => {} },
  ]
  show({ tone: 'success', title, detail, lastsMs: UNDO_LASTS_MS, actions, object })
}

/** The object has been changed again since: what was before is no longer what Undo would bring. */
export function dropUndo(object: string): void {
  become(toasts.filter((toast) => toast.object !== object))
}

/** It is said no longer: what it was about is tried again. */
export function dropToast(title: string): void {
  become(toasts.filter((toast) => toast.title !== title))
}

/** Newest first; the oldest makes room, one that offers Undo last. The same notice twice is one notice, shown anew. */
function show(notice: Omit<Toast, 'id'>): void {
  lastId += 1
  const toast = { id: lastId, ...notice }
  const { title, detail } = notice
  const others = toasts.filter((toast) => toast.title !== title || toast.detail !== detail)
  become(withRoom([toast, ...others]))
}

function withRoom(all: readonly Toast[]): readonly Toast[] {
  if (all.length <= SHOWN_AT_ONCE) return all
  const index = all.findLastIndex((toast, at) => at > 0 && toast.object === '')
  return index === -1 ? all : all.filter((_, at) => at !== index)
}

export function closeToast(id: number): void {
  become(toasts.filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  become([])
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(watch, () => toasts)
}
