import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeTurn } from './tile-player.hook.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('tasks run one after the other, the first at once', () => {
  const begun: number[] = []
  for (let index = 0; index < 3; index += 1) takeTurn(() => begun.push(index))
  vi.advanceTimersByTime(0)
  expect(begun).toEqual([0])
  vi.advanceTimersByTime(249)
  expect(begun).toEqual([0])
  vi.advanceTimersByTime(1)
  expect(begun).toEqual([0, 1])
  vi.runAllTimers()
  expect(begun).toEqual([0, 1, 2])
})

test('a waiting task that has left is not called, and delays no other', () => {
  const begun: string[] = []
  takeTurn(() => begun.push('a'))
  const leave = takeTurn(() => begun.push('b'))
  takeTurn(() => begun.push('c'))
  leave()
  vi.advanceTimersByTime(250)
  expect(begun).toEqual(['a', 'c'])
})

test('a tile that cannot begin does not delay the others', () => {
  const begun: string[] = []
  takeTurn(() => {
    throw new Error('no player in this browser')
  })
  takeTurn(() => begun.push('b'))
  expect(() => vi.advanceTimersByTime(0)).toThrow('no player')
  vi.advanceTimersByTime(250)
  expect(begun).toEqual(['b'])
})

test('later ones find the line free again', () => {
  const begun: string[] = []
  takeTurn(() => begun.push('a'))
  vi.runAllTimers()
  takeTurn(() => begun.push('b'))
  vi.advanceTimersByTime(0)
  expect(begun).toEqual(['a', 'b'])
})
