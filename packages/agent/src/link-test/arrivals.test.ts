import { expect, test } from 'vitest'
import { Arrivals } from './arrivals.ts'

function counted(arrivals: readonly (readonly [sequence: number, sentAtMs: number, at: number])[]) {
  const counter = new Arrivals(100)
  for (const [sequence, sentAtMs, nowMs] of arrivals) counter.add({ sequence, sentAtMs }, nowMs)
  return counter.counted()
}

test('counts each packet once, and those that come after a later one', () => {
  const arrivals = [0, 1, 4, 2, 3, 3, 6].map((sequence, at) => [sequence, 0, at] as const)
  expect(counted(arrivals)).toMatchObject({
    packets: 6,
    duplicates: 1,
    reordered: 2,
    expected: 7,
    forMs: 6,
  })
})

test('jitter is the mean difference between transit times, whatever the two clocks show', () => {
  // Transit times: 1000, 1004, 1000, 1000.
  const arrivals = [
    [0, 0, 1000],
    [1, 10, 1014],
    [2, 20, 1020],
    [3, 30, 1030],
  ] as const
  expect(counted(arrivals).jitterMs).toBeCloseTo(8 / 3)
  expect(counted(arrivals.slice(0, 1)).jitterMs).toBeNull()
})

test('a sequence number beyond what this test sends is ignored', () => {
  expect(counted([[4_000_000_000, 0, 1]])).toMatchObject({ packets: 0, expected: 0 })
})
