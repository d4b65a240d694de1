/** Single keys for what the pointer can do; silent while somebody types or a dialog or menu is open. */
import { useEffect, useRef } from 'react'
import { storage } from './storage.ts'

export interface Shortcut {
  key: string
  does: string
}

const handlers = new Map<string, (() => void)[]>()

/** `key` as KeyboardEvent.key gives it. The newest handler of a key wins. */
export function useShortcut(key: string, handle: () => void): void {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => {
    const mine = () => latest.current()
    handlers.set(key, [...(handlers.get(key) ?? []), mine])
    return () => {
      handlers.set(
        key,
        (handlers.get(key) ?? []).filter((item) => item !== mine),
      )
    }
  }, [key])
}

/** WCAG 2.1.4: single keys can be switched off. */
export function areSingleKeysOn(): boolean {
  return storage.singleKeys.read() ?? true
}

export function listenForShortcuts(): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!areSingleKeysOn() || isTyping(event.target) || isOverlaid()) return
    const handle = handlers.get(event.key)?.at(-1)
    if (handle === undefined) return
    event.preventDefault()
    handle()
  }
  document.addEventListener('keydown', hear)
  return () => document.removeEventListener('keydown', hear)
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  // Nobody types into a box that is ticked: the rows of a table are walked from tick to tick.
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** A menu finds its items by their first letters, and walks them by the arrows. */
function isOverlaid(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}
