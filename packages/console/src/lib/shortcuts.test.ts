import { fireEvent, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../test/render-console.tsx'
import { listenForShortcuts, useShortcut } from './shortcuts.ts'

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
