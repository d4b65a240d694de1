import { expect, test } from 'vitest'
import { backupName, lastDueMs, nextDueMs, readBackupTimes } from './backup-times.rules.ts'

const local = (day: number, hour: number, minute: number) =>
  new Date(2026, 10, day, hour, minute).getTime()

const TWICE = readBackupTimes('03:30, 15:30') ?? []

test.each([
  ['03:30', [{ hour: 3, minute: 30 }]],
  [
    ' 00:00 ,23:59',
    [
      { hour: 0, minute: 0 },
      { hour: 23, minute: 59 },
    ],
  ],
  ['never', []],
  ['24:00', null],
  ['3:30', null],
  ['03:30,', null],
  ['03:60', null],
  ['daily', null],
])('%j is read', (text, times) => {
  expect(readBackupTimes(text)).toEqual(times)
})

test.each([
  [local(27, 3, 29), local(26, 15, 30), local(27, 3, 30)],
  [local(27, 3, 30), local(27, 3, 30), local(27, 15, 30)],
  [local(27, 12, 0), local(27, 3, 30), local(27, 15, 30)],
  [local(27, 23, 0), local(27, 15, 30), local(28, 3, 30)],
])('last and next at %d', (nowMs, last, next) => {
  expect(lastDueMs(TWICE, nowMs)).toBe(last)
  expect(nextDueMs(TWICE, nowMs)).toBe(next)
})

test('never is never', () => {
  expect([lastDueMs([], 0), nextDueMs([], 0)]).toEqual([null, null])
})

test('names stand in the order of time', () => {
  expect(backupName(Date.UTC(2026, 10, 27, 3, 30), 'asked for')).toBe(
    'trunkline-2026-11-27T033000Z-asked-for.db',
  )
})
