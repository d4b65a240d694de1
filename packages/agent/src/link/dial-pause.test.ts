import { expect, test, vi } from 'vitest'
import { DialPause } from './dial-pause.ts'

vi.spyOn(Math, 'random').mockReturnValue(1)

const LASTED_MS = 5001

test('T16 the pause grows from one failed dial to the next, up to five seconds', () => {
  const pause = new DialPause()
  const pausesMs = Array.from({ length: 7 }, () => pause.after('lost', 0))
  expect(pausesMs).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
})

test('after a link that has lasted the next dial comes soon', () => {
  const pause = new DialPause()
  for (let dial = 0; dial < 7; dial += 1) pause.after('lost', 0)
  expect(pause.after('lost', LASTED_MS)).toBe(200)
  expect(pause.after('lost', LASTED_MS - 2)).toBe(400)
})

test('a console that refuses, or has taken a newer link, is dialled after the longest pause', () => {
  const pause = new DialPause()
  expect([pause.after('refused', 0), pause.after('replaced', 0)]).toEqual([5000, 5000])
})
