import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSteadyStrip } from './steady-strip.hook.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

test('the strip comes at once, and neither comes nor goes under a hand at work', () => {
  const { result, rerender } = renderHook(({ isWanted }) => useSteadyStrip(isWanted), {
    initialProps: { isWanted: false },
  })
  rerender({ isWanted: true })
  expect(result.current.isShown).toBe(true)
  act(() => result.current.handlers.onPointerMove())
  rerender({ isWanted: false })
  expect(result.current.isShown).toBe(true)
  pass(1400)
  act(() => result.current.handlers.onPointerDown())
  pass(1400)
  expect(result.current.isShown).toBe(true)
  pass(200)
  expect(result.current.isShown).toBe(false)
})
