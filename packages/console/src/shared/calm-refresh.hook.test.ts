import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CALM_MS, useCalmRefresh } from './calm-refresh.hook.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(change: string | null) {
  const refresh = vi.fn<() => void>()
  const { result, rerender } = renderHook((asked) => useCalmRefresh(asked), {
    initialProps: { change, readAtMs: 1, refresh },
  })
  return {
    refresh,
    result,
    change: (next: string | null, readAtMs = 1) => rerender({ change: next, readAtMs, refresh }),
    wait: (ms: number) =>
      act(() => {
        vi.advanceTimersByTime(ms)
      }),
  }
}

test('states that change again and again read the list once in a while', () => {
  const { change, wait, refresh } = open('a')
  wait(10 * CALM_MS)
  expect(refresh).not.toHaveBeenCalled()
  for (let at = 1; at <= 10; at++) {
    change(`b${at}`)
    wait(CALM_MS / 5)
  }
  wait(10 * CALM_MS)
  expect(refresh).toHaveBeenCalledTimes(2)
})

test('the list waits while the pointer or the focus is in it, and says that it does', () => {
  const { change, wait, refresh, result } = open('a')
  act(() => result.current.handlers.onPointerEnter())
  change('b')
  wait(10 * CALM_MS)
  expect(refresh).not.toHaveBeenCalled()
  expect(result.current.isOutdated).toBe(true)
  act(() => result.current.handlers.onFocus())
  act(() => result.current.handlers.onPointerLeave())
  wait(10 * CALM_MS)
  expect(refresh).not.toHaveBeenCalled()
  act(() => result.current.handlers.onBlur())
  wait(CALM_MS)
  expect(refresh).toHaveBeenCalledOnce()
  expect(result.current.isOutdated).toBe(false)
})

test('a list that somebody read meanwhile is not read again', () => {
  const { change, wait, refresh } = open('a')
  change('b')
  change('b', 2)
  wait(10 * CALM_MS)
  expect(refresh).not.toHaveBeenCalled()
})

test('the first word of the states changes nothing', () => {
  const { change, wait, refresh } = open(null)
  change('a')
  wait(10 * CALM_MS)
  expect(refresh).not.toHaveBeenCalled()
  change('b')
  wait(CALM_MS)
  expect(refresh).toHaveBeenCalledOnce()
})
