import { expect, test } from 'vitest'
import { growthGoal, trendOf } from './trend.ts'

/** An hour of readings, one a minute, that go up and down by one around `level`. */
function hour(level: number, perMinute: number) {
  return Array.from({ length: 60 }, (_, index) => ({
    atMinutes: index,
    value: level + perMinute * index + (index % 2 === 0 ? 1 : -1),
  }))
}

test('a figure that goes up and down is not reported as growing', () => {
  const trend = trendOf(hour(100, 0))
  expect(trend.level).toBe(100)
  expect(growthGoal('heap', trend, 480, 5)).toMatchObject({ got: 0, ok: true })
})

test('a figure that grows by a tenth in an hour is reported', () => {
  const trend = trendOf(hour(100, 10 / 60))
  expect(trend.perMinute).toBeCloseTo(10 / 60, 2)
  const goal = growthGoal('heap', trend, 480, 5)
  expect(goal.ok).toBe(false)
  expect(goal.got).toBeGreaterThan(50)
})

test('a figure that shrinks is not reported', () => {
  expect(growthGoal('heap', trendOf(hour(100, -1)), 480, 5).got).toBe(0)
})
