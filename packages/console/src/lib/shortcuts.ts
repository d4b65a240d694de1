/**
 * Single keys for what the pointer can do; silent while somebody types or a dialog or menu is open. Ctrl K,
 * or Cmd K, is heard while somebody types too.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { storage } from './storage.ts'

const handlers = new Map<string, (() => void)[]>()
/** A key that a page is opened for, until that page hears it. */
let awaited = ''

/** With Ctrl or Cmd. */
export const JUMP_KEY = 'Ctrl K'

/** `key` as KeyboardEvent.key gives it, or JUMP_KEY. The newest handler of a key wins. */
export function useShortcut(key: string, handle: () => void): void {
  const latest = useRef(handle)
  // With what is drawn, not some time after it.
  useLayoutEffect(() => {
    latest.current = handle
  })
  useLayoutEffect(() => {
    const mine = () => latest.current()
    handlers.set(key, [...(handlers.get(key) ?? []), mine])
    if (awaited === key) pressShortcut(key)
    return () => {
      handlers.set(
        key,
        (handlers.get(key) ?? []).filter((item) => item !== mine),
      )
    }
  }, [key])
}

/** Does what the key does on this page, although nobody pressed it. */
export function pressShortcut(key: string): void {
  awaited = ''
  handlers.get(key)?.at(-1)?.()
}

/** Whether anything on this page hears the key. */
export function hasShortcut(key: string): boolean {
  return (handlers.get(key) ?? []).length > 0
}

/** As `pressShortcut`, on the page that is about to open, as soon as it hears the key. */
export function pressOnNextPage(key: string): void {
  awaited = key
}

/** WCAG 2.1.4: single keys can be switched off. */
export function areSingleKeysOn(): boolean {
  return storage.singleKeys.read() ?? true
}

export function listenForShortcuts(): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented) return
    awaited = ''
    const isJump = event.ctrlKey || event.metaKey
    if (isJump ? event.key !== 'k' : !areSingleKeysOn() || isTyping(event.target)) return
    if (isHeld || isOverlaid()) return
    const handle = handlers.get(isJump ? JUMP_KEY : event.key)?.at(-1)
    if (handle === undefined) return
    event.preventDefault()
    handle()
  }
  document.addEventListener('keydown', hear)
  return () => document.removeEventListener('keydown', hear)
}

let isHeld = false

/** No key acts while something opens that will take what is typed. */
export function useHeldShortcuts(held: boolean): void {
  useEffect(() => {
    isHeld = held
    return () => {
      isHeld = false
    }
  }, [held])
}

/** Typed since the field that takes it was asked for. */
let ahead = ''

let cancelAsked = () => {}

/**
 * While a field is asked for and not there yet, what is typed is kept for it, and does nothing on the page.
 * Escape asks for it no longer.
 */
export function useTypedAhead(isAsked: boolean, onCancel: () => void): void {
  useLayoutEffect(() => {
    cancelAsked = onCancel
  })
  useLayoutEffect(() => {
    if (!isAsked) return
    ahead = ''
    document.addEventListener('keydown', keepAhead, true)
    return () => document.removeEventListener('keydown', keepAhead, true)
  }, [isAsked])
}

/** For the field, once it has the focus: what is typed from now on is its own. */
export function takeTypedAhead(): string {
  document.removeEventListener('keydown', keepAhead, true)
  const typed = ahead
  ahead = ''
  return typed
}

function keepAhead(event: KeyboardEvent): void {
  const { key, target } = event
  // AltGr types a character, and on Windows is Ctrl and Alt as well.
  const isTyped = event.getModifierState('AltGraph')
  if (!isTyped && (event.ctrlKey || event.metaKey || event.altKey)) return
  // A dialog in the field's place says that it is loaded, or cannot be.
  if (target instanceof Element && target.closest('[role="dialog"] button') !== null) return
  if (key.length === 1) ahead += key
  else if (key === 'Backspace') ahead = ahead.slice(0, -1)
  else if (key === 'Escape') cancelAsked()
  else if (key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
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
