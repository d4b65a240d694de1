import { expect, test } from 'vitest'
import { toRound } from './dial-retry.ts'

test('G8 waits that end in the same quarter of a second end together, and none is shorter', () => {
  const nowMs = 1_234_567.8
  const endOf = (waitMs: number) => Math.round(nowMs + toRound(waitMs, nowMs))
  expect([0, 1, 182, 183, 432].map(endOf)).toEqual([
    1_234_750, 1_234_750, 1_234_750, 1_235_000, 1_235_000,
  ])
})
