import { fireEvent, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../test/render-console.tsx'
import { listenForShortcuts, takeTypedAhead, useShortcut, useTypedAhead } from './shortcuts.ts'

afterEach(resetConsole)

test('a key does what its page means by it now, not when it was first drawn', () => {
  const done: string[] = []
  const stop = listenForShortcuts()
  const { rerender } = renderHook(({ page }) => useShortcut('r', () => void done.push(page)), {
    initialProps: { page: 'first' },
  })
  rerender({ page: 'second' })
  fireEvent.keyDown(document.body, { key: 'r' })
  stop()
  expect(done).toEqual(['second'])
})

test('what is typed ahead is kept for its field, and no longer than it is asked for', () => {
  const button = document.createElement('button')
  document.body.append(button)
  const isHeard = (key: string, more = {}) => fireEvent.keyDown(button, { key, ...more })
  const { rerender } = renderHook(({ isAsked }) => useTypedAhead(isAsked, () => {}), {
    initialProps: { isAsked: true },
  })
  const kept = ['a', 'b', 'Backspace', ' ', 'Enter', 'Tab'].map((key) => !isHeard(key))
  expect(kept).toEqual([true, true, true, true, true, false])
  expect(isHeard('r', { ctrlKey: true })).toBe(true)
  expect([takeTypedAhead(), takeTypedAhead()]).toEqual(['a ', ''])
  expect(isHeard('c')).toBe(true)
  rerender({ isAsked: false })
  rerender({ isAsked: true })
  expect(isHeard('d')).toBe(false)
  rerender({ isAsked: false })
  expect(isHeard('e')).toBe(true)
  rerender({ isAsked: true })
  expect(takeTypedAhead()).toBe('')
  button.remove()
})

test('what is typed ahead by AltGr is kept, as @ on a French keyboard', () => {
  renderHook(() => useTypedAhead(true, () => {}))
  const altGr = { ctrlKey: true, altKey: true, modifierAltGraph: true }
  expect(fireEvent.keyDown(document.body, { key: '@', ...altGr })).toBe(false)
  expect(takeTypedAhead()).toBe('@')
})

test('Escape cancels a field that is asked for and not there yet', () => {
  let cancelled = 0
  renderHook(() => useTypedAhead(true, () => void cancelled++))
  fireEvent.keyDown(document.body, { key: 'a' })
  expect(fireEvent.keyDown(document.body, { key: 'Escape' })).toBe(false)
  expect(cancelled).toBe(1)
  takeTypedAhead()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(cancelled).toBe(1)
})

test('a dialog in the place of a field that cannot be loaded keeps its keys', () => {
  const dialog = document.createElement('div')
  dialog.role = 'dialog'
  const retry = dialog.appendChild(document.createElement('button'))
  document.body.append(dialog)
  renderHook(() => useTypedAhead(true, () => {}))
  expect(fireEvent.keyDown(retry, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(dialog, { key: 'a' })).toBe(false)
  dialog.remove()
})
