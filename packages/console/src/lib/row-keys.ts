/** j, k and the arrows walk the rows of a list, whatever in a row takes the focus; keys press its buttons. */
import type { RefObject } from 'react'
import { askFirst } from './confirm.ts'
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
  useButtonKeys()
}

/** Buttons of a row or card that a key presses while the focus is in it; for `aria-keyshortcuts`. */
export const BUTTON_KEYS = { start: 'S', stop: 'Shift+S', restart: 'Shift+R', log: 'L' } as const

/** Stop and Restart ask by themselves. Start does not, and a key may be hit by accident. */
export function useButtonKeys(): void {
  useShortcut('s', () => {
    const button = buttonOf('start')
    if (button !== null) void askToStart(button)
  })
  useShortcut('S', () => press(buttonOf('stop')))
  useShortcut('R', () => press(buttonOf('restart')))
  useShortcut('l', () => press(buttonOf('log')))
}

function buttonOf(name: keyof typeof BUTTON_KEYS): HTMLElement | null {
  const row = document.activeElement?.closest('tr, article')
  return row?.querySelector<HTMLElement>(`[aria-keyshortcuts='${BUTTON_KEYS[name]}']`) ?? null
}

/** A button that does nothing now says why when it has the focus. */
function press(button: HTMLElement | null): void {
  if (button?.getAttribute('aria-disabled') === 'true') button.focus()
  else button?.click()
}

async function askToStart(button: HTMLElement): Promise<void> {
  const isInert = button.getAttribute('aria-disabled') === 'true'
  const sentences = [`${button.getAttribute('aria-label') ?? ''}.`]
  if (isInert || (await askFirst({ sentences, doLabel: 'Start', keepLabel: 'Keep stopped' })))
    press(button)
}
