/** j, k and the arrows walk the rows of a list, whatever in a row takes the focus. */
import type { RefObject } from 'react'
import { useShortcut } from './shortcuts.ts'

/** Set on the one control of each row that takes the focus. */
export const ROW_FOCUS = { 'data-row-focus': true } as const

export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const walk = (step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-focus]') ?? [])]
    const at = rows.findIndex((row) => row === document.activeElement)
    const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
    rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
  }
  useShortcut('j', () => walk(1))
  useShortcut('ArrowDown', () => walk(1))
  useShortcut('k', () => walk(-1))
  useShortcut('ArrowUp', () => walk(-1))
}
