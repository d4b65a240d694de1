import { expect, test } from 'vitest'
import { isStuck } from './stream-watch.ts'

const NOW = 1_000_000

test.each([
  ['data for long and no segment at all', 20_000, 20_000, null, null, true],
  ['data for long and only old segments', 60_000, 60_000, 20_000, 20_000, true],
  ['a packager that has just begun', 5000, 60_000, 60_000, 60_000, false],
  ['data that have just come back', 60_000, 5000, 60_000, 60_000, false],
  ['segments as they should come', 60_000, 60_000, 500, 2000, false],
  ['a long segment under way', 60_000, 60_000, 500, 20_000, false],
  ['written on and on and never finished', 70_000, 70_000, 500, null, true],
  ['no packager', null, 60_000, 60_000, 60_000, false],
  ['no data', 60_000, null, 60_000, 60_000, false],
])('stuck or not: %s', (_what, packager, receiving, advanced, newest, stuck) => {
  const ago = (ms: number | null) => (ms === null ? null : NOW - ms)
  const facts = {
    packagerStartedAtMs: ago(packager),
    receivingSinceMs: ago(receiving),
    advancedAtMs: ago(advanced),
    newestAtMs: ago(newest),
  }
  expect(isStuck(facts, NOW)).toBe(stuck)
})
