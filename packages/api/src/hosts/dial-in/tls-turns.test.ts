import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TlsTurns } from './tls-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function opened({ underWay = 100 } = {}) {
  const setUp: Socket[] = []
  const turns = new TlsTurns((socket) => setUp.push(socket), {
    atOnce: 4,
    atOnceLate: 12,
    underWay,
    patienceMs: 500,
    signEveryMs: null,
  })
  const add = () => {
    const socket = new Socket()
    turns.add({ socket, heard: Buffer.from('hello'), host: null })
    return socket
  }
  return { setUp, turns, add }
}

test('T16 a connection that comes alone is served at once, a crowd a few at a time in its order', () => {
  const { setUp, add } = opened()
  const first = add()
  expect(setUp).toEqual([first])
  const crowd = Array.from({ length: 10 }, add)
  expect(setUp).toHaveLength(1)
  vi.advanceTimersToNextTimer()
  expect(setUp).toEqual([first, ...crowd.slice(0, 4)])
  vi.runAllTimers()
  expect(setUp).toEqual([first, ...crowd])
  const last = add()
  expect(setUp.at(-1)).toBe(last)
})

test('T16 a connection that has ended takes nobody’s turn', () => {
  const { setUp, add } = opened()
  add()
  const crowd = Array.from({ length: 8 }, add)
  for (const socket of crowd.slice(0, 4)) socket.destroy()
  vi.advanceTimersToNextTimer()
  expect(setUp.slice(1)).toEqual(crowd.slice(4))
})

test('T16 of those that may all answer at once there are few: the next begin as others end', () => {
  const { setUp, turns, add } = opened({ underWay: 3 })
  const crowd = Array.from({ length: 6 }, add)
  vi.advanceTimersByTime(400)
  expect(setUp).toEqual(crowd.slice(0, 3))
  if (crowd[0] === undefined || crowd[1] === undefined) throw new Error('no crowd')
  turns.end(crowd[0])
  vi.advanceTimersToNextTimer()
  expect(setUp).toEqual(crowd.slice(0, 4))
  crowd[1].emit('close')
  vi.advanceTimersToNextTimer()
  expect(setUp).toEqual(crowd.slice(0, 5))
})

test('T16 while the event loop is late more begin in a turn, up to a limit', () => {
  const { setUp, add } = opened()
  add()
  const crowd = Array.from({ length: 30 }, add)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000)
  vi.advanceTimersToNextTimer()
  expect(setUp.slice(1)).toEqual(crowd.slice(0, 12))
})

test('T16 who has answered is not closed for what the API has left to do', () => {
  const { setUp, turns, add } = opened({ underWay: 2 })
  const [first, second] = [add(), add()]
  vi.advanceTimersByTime(100)
  turns.answered(first)
  vi.advanceTimersByTime(2000)
  const third = add()
  vi.advanceTimersToNextTimer()
  expect([first.destroyed, second.destroyed]).toEqual([false, true])
  expect(setUp).toContain(third)
})

test('T16 who takes long is closed when others wait for it', () => {
  const { setUp, add } = opened({ underWay: 2 })
  const [first, second] = [add(), add()]
  vi.advanceTimersByTime(2000)
  expect([first.destroyed, second.destroyed]).toEqual([false, false])
  const third = add()
  vi.advanceTimersToNextTimer()
  expect([first.destroyed, second.destroyed]).toEqual([true, true])
  expect(setUp).toContain(third)
  expect(third.destroyed).toBe(false)
})

test('T16 nobody is served after the end', () => {
  const { setUp, turns, add } = opened()
  add()
  add()
  turns.close()
  vi.runAllTimers()
  expect(setUp).toHaveLength(1)
})
