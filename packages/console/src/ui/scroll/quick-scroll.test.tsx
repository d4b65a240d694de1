import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OVER_AFTER_MS, QUICK_STEP_PX, useQuickScroll } from './quick-scroll.hook.ts'
import { Settled } from './Settled.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => atPx)
  atPx = 0
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

let atPx = 0

function scrollBy(px: number): void {
  atPx += px
  act(() => void window.dispatchEvent(new Event('scroll')))
}

function Rows({ names }: { names: readonly string[] }) {
  const isQuick = useQuickScroll()
  return names.map((name) => (
    <Settled key={name} isQuick={isQuick} waiting={<i>{name} waits</i>}>
      {name}
    </Settled>
  ))
}

/** Of their own place alone: the page may hold what another test has left. */
function drawRows() {
  const { container, rerender } = render(<Rows names={[]} />)
  return {
    shown: () => container.textContent,
    drawAll: (...names: string[]) => rerender(<Rows names={names} />),
  }
}

test('W9 rows that come into sight while a list is scrolled quickly are drawn once that is over', () => {
  const { shown, drawAll } = drawRows()
  drawAll('first')
  scrollBy(QUICK_STEP_PX + 1)
  drawAll('first', 'second')
  expect(shown()).toBe('firstsecond')
  scrollBy(-QUICK_STEP_PX - 1)
  drawAll('first', 'second', 'third')
  expect(screen.getByText('third waits')).toBeTruthy()
  expect(shown()).toBe('firstsecondthird waits')
  act(() => void vi.advanceTimersByTime(OVER_AFTER_MS))
  expect(shown()).toBe('firstsecondthird')
})

test('W9 a turn of the wheel, and a jump to a place, draw at once', () => {
  const { shown, drawAll } = drawRows()
  drawAll('first')
  for (let step = 0; step < 5; step += 1) scrollBy(QUICK_STEP_PX)
  drawAll('first', 'second')
  expect(shown()).toBe('firstsecond')
  scrollBy(20 * QUICK_STEP_PX)
  act(() => void vi.advanceTimersByTime(OVER_AFTER_MS))
  scrollBy(20 * QUICK_STEP_PX)
  drawAll('first', 'second', 'third')
  expect(shown()).toBe('firstsecondthird')
})
