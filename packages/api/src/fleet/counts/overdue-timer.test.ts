import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { KindMap } from '../kind-map.ts'
import { OverdueTimer } from './overdue-timer.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

function openTimer() {
  const turned: string[] = []
  const timer = new OverdueTimer(Date.now, (programId) => turned.push(programId))
  onTestFinished(() => timer[Symbol.dispose]())
  return { timer, turned }
}

test('W7 thousands that are due at once are turned part by part', () => {
  const { timer, turned } = openTimer()
  const ids = Array.from({ length: 2000 }, (_, at) => `encoder-${at}`)
  for (const id of ids) timer.set(id, Date.now() + 1000)
  vi.setSystemTime(Date.now() + 1000)
  timer.turn()
  expect(turned.length).toBeLessThan(500)
  const counts = [turned.length]
  while (turned.length < ids.length) {
    vi.advanceTimersToNextTimer()
    counts.push(turned.length)
  }
  const parts = counts.map((count, at) => count - (counts[at - 1] ?? 0))
  expect(Math.max(...parts)).toBeLessThan(500)
  expect(turned.toSorted()).toEqual(ids.toSorted())
})

test('what is heard of while it waits for its turn is not turned', () => {
  const { timer, turned } = openTimer()
  const ids = Array.from({ length: 1000 }, (_, at) => `encoder-${at}`)
  for (const id of ids) timer.set(id, Date.now() + 1000)
  vi.setSystemTime(Date.now() + 1000)
  timer.turn()
  timer.set('encoder-999', null)
  timer.set('encoder-998', Date.now() + 60_000)
  vi.advanceTimersByTime(2000)
  expect(turned).toHaveLength(998)
  expect(turned).not.toContain('encoder-999')
  vi.advanceTimersByTime(60_000)
  expect(turned.at(-1)).toBe('encoder-998')
})

test('all programs of a large site that are due together are found part by part', () => {
  const found = vi.spyOn(KindMap.prototype, 'delete')
  onTestFinished(() => found.mockRestore())
  const { timer, turned } = openTimer()
  const ids = Array.from(
    { length: 20_000 },
    (_, at) => `${at % 2 === 0 ? 'encoder' : 'input'}-${at}`,
  )
  for (const id of ids) timer.set(id, Date.now() + 1000)
  vi.setSystemTime(Date.now() + 1000)
  timer.turn()
  expect(found.mock.calls.length).toBeLessThanOrEqual(5000)
  // Neither was found yet, nor is the third known.
  timer.set('input-19999', null)
  timer.set('input-19997', Date.now() + 60_000)
  timer.set('output-1', Date.now() + 30_000)
  vi.advanceTimersByTime(20_000)
  expect(turned).toHaveLength(ids.length - 2)
  vi.advanceTimersByTime(60_000)
  expect(turned.slice(-2)).toEqual(['output-1', 'input-19997'])
})
