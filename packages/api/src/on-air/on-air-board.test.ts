import { expect, test, vi } from 'vitest'
import { OnAirBoard } from './on-air-board.ts'
import type { StoredMark } from './on-air.store.ts'

const MARK: StoredMark = {
  kind: 'channel',
  id: 'c1',
  markId: 'm1',
  version: 1,
  fromMs: 60_000,
  untilMs: 120_000,
  note: '',
  by: 'Ada',
}

test('a span begins and ends by itself, and says so to whoever listens', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    using board = new OnAirBoard({
      clock: () => Date.now(),
      read: async () => Promise.resolve([MARK]),
      onFault: () => {},
    })
    await board.reload()
    const heard: boolean[] = []
    board.listen(() => heard.push(board.onAir().has('channel c1')))
    const shown = () => board.of('all', () => true).marks.map(({ isOnAir }) => isOnAir)
    expect(shown()).toEqual([false])
    vi.advanceTimersByTime(59_999)
    expect(heard).toEqual([])
    vi.advanceTimersByTime(1)
    expect([heard, shown()]).toEqual([[true], [true]])
    vi.advanceTimersByTime(60_000)
    expect([heard, shown(), board.size]).toEqual([[true, false], [], 0])
  } finally {
    vi.useRealTimers()
  }
})

test('an answer is kept until a change, and holds what its reader may see', async () => {
  let marks = [MARK]
  using board = new OnAirBoard({
    clock: () => 90_000,
    read: async () => Promise.resolve(marks),
    onFault: () => {},
  })
  await board.reload()
  const first = board.of('north', () => true)
  expect(board.of('north', () => true)).toBe(first)
  expect(board.of('south', () => false).marks).toEqual([])
  marks = []
  await board.reload()
  expect(board.of('north', () => true).marks).toEqual([])
})

test('a turn in the millisecond in which the timer is set again is not passed over', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    // The timer fires a moment early, and the clock goes on at each look.
    let nowMs = 0
    using board = new OnAirBoard({
      clock: () => (nowMs += 1),
      read: async () => Promise.resolve([{ ...MARK, fromMs: 4, untilMs: null }]),
      onFault: () => {},
    })
    await board.reload()
    const heard: number[] = []
    board.listen(() => heard.push(nowMs))
    nowMs = 2
    vi.advanceTimersByTime(10)
    expect(heard.length).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
