import { expect, test } from 'vitest'
import { desktopScore } from './lighthouse-score.ts'
import type { PageLoad } from './page-load.ts'

const AT_ONCE: PageLoad = {
  usefulMs: 0,
  firstPaintMs: 0,
  largestPaintMs: 0,
  layoutShift: 0,
  blockedMs: 0,
  interactiveMs: 0,
  scripts: [],
  laterScripts: [],
}
const GOOD = { firstPaintMs: 934, usefulMs: 1311, largestPaintMs: 1200, blockedMs: 150 }
const MEDIAN = { firstPaintMs: 1600, usefulMs: 2300, largestPaintMs: 2400, blockedMs: 350 }

test('a page that is there at once has the score of 1', () => {
  expect(desktopScore(AT_ONCE)).toBe(1)
})

test("the score at Lighthouse's own two points of each curve", () => {
  expect(desktopScore({ ...AT_ONCE, ...GOOD, layoutShift: 0.1 })).toBeCloseTo(0.9, 4)
  expect(desktopScore({ ...AT_ONCE, ...MEDIAN, layoutShift: 0.25 })).toBeCloseTo(0.5, 4)
})

test('what blocks the page weighs most', () => {
  const losses = Object.entries({ ...MEDIAN, layoutShift: 0.25 }).map(
    ([name, value]) => [name, 1 - desktopScore({ ...AT_ONCE, [name]: value })] as const,
  )
  const [[worst] = []] = losses.toSorted(([, a], [, b]) => b - a)
  expect(worst).toBe('blockedMs')
})
