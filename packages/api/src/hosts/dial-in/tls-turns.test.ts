import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TlsTurns } from './tls-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function opened() {
  const setUp: Socket[] = []
  const turns = new TlsTurns((socket) => setUp.push(socket))
  const add = () => {
    const socket = new Socket()
    turns.add(socket)
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

test('T16 nobody is served after the end', () => {
  const { setUp, turns, add } = opened()
  add()
  add()
  turns.close()
  vi.runAllTimers()
  expect(setUp).toHaveLength(1)
})
