import { expect, test } from 'vitest'
import {
  diskStepOf,
  isDiskLow,
  lossStepsOf,
  speedStepsOf,
  worstFinding,
} from './threshold.rules.ts'

const GB = 1_000_000_000

test('a disk below 1 GB is low unless its threshold is set below the default', () => {
  const small = { freeBytes: 0.5 * GB, totalBytes: 5 * GB }
  expect([5, 10, 15].map((threshold) => isDiskLow(small, threshold))).toEqual([true, true, true])
  expect([3, 2].map((threshold) => isDiskLow(small, threshold))).toEqual([false, false])
  const large = { freeBytes: 40 * GB, totalBytes: 1000 * GB }
  expect([3, 5].map((threshold) => isDiskLow(large, threshold))).toEqual([false, true])
})

test('a disk has passed the lowest step by which it is low, and none while half of it is free', () => {
  expect(diskStepOf({ freeBytes: 12 * GB, totalBytes: 100 * GB })).toBe(15)
  expect(diskStepOf({ freeBytes: 60 * GB, totalBytes: 100 * GB })).toBeNull()
})

test('a step is passed by more loss, and by less speed, not by as much', () => {
  expect(lossStepsOf(0.001)).toEqual([0.01, 0.02, 0.05])
  expect(lossStepsOf(0.0011)).toEqual([0.01, 0.02, 0.05, 0.1])
  expect(speedStepsOf(0.95)).toEqual([97])
  expect(speedStepsOf(0.85)).toEqual([90, 95, 97])
})

test('the worst finding by the thresholds that apply counts; what has no figure always does', () => {
  const loss = lossStepsOf(0.003).map((step) => ({ kind: 'losing' as const, sinceMs: step, step }))
  const silent = { kind: 'silent' as const, sinceMs: 9, step: null }
  const worst = (threshold: number) => worstFinding([...loss, silent], () => threshold)
  expect(worst(0.2)).toMatchObject({ kind: 'losing', sinceMs: 0.2 })
  expect(worst(0.5)).toEqual(silent)
})
