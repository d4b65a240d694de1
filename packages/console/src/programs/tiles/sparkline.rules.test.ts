import { expect, test } from 'vitest'
import { runsOf, scaleOf } from './sparkline.rules.ts'

test('readings are joined while they follow each other, never across a gap', () => {
  const samples = [
    { atMs: 0, kbps: 1 },
    { atMs: 5000, kbps: 2 },
    { atMs: 20_000, kbps: 3 },
    { atMs: 25_000, kbps: null },
    { atMs: 30_000, kbps: 4 },
  ]
  expect(runsOf(samples).map((run) => run.map((point) => point.kbps))).toEqual([[1, 2], [3], [4]])
})

test('zero based, with room above the target and above the highest reading', () => {
  expect(scaleOf([{ atMs: 0, kbps: 100 }], 4000)).toBe(5000)
  expect(scaleOf([{ atMs: 0, kbps: 8000 }], 4000)).toBeCloseTo(8800)
  expect(scaleOf([], null)).toBe(1)
})
