import { expect, test } from 'vitest'
import { activeUntilMs, nextChangeMs } from './maintenance.rules.ts'
import { MaintenanceDraft, type WindowTimes } from './maintenance.schema.ts'

function at(text: string): number {
  return Date.parse(`${text}Z`)
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().slice(0, 16)
}

test('a window that is planned once is on from its start up to its end', () => {
  const times: WindowTimes = {
    repeats: 'once',
    from: '2026-11-20T02:00:00Z',
    until: '2026-11-20T04:00:00Z',
  }
  const seen = ['2026-11-20T01:59', '2026-11-20T02:00', '2026-11-20T03:59', '2026-11-20T04:00'].map(
    (now) => [textOf(activeUntilMs(times, at(now))), textOf(nextChangeMs(times, at(now)))],
  )
  expect(seen).toEqual([
    [null, '2026-11-20T02:00'],
    ['2026-11-20T04:00', '2026-11-20T04:00'],
    ['2026-11-20T04:00', '2026-11-20T04:00'],
    [null, null],
  ])
})

// 22 November 2026 is a Sunday.
test('a weekly window reaches over midnight and comes again in a week', () => {
  const times: WindowTimes = { repeats: 'weekly', days: ['sun'], startsAt: '23:00', minutes: 120 }
  const seen = ['2026-11-22T22:59', '2026-11-22T23:00', '2026-11-23T00:59', '2026-11-23T01:00'].map(
    (now) => [textOf(activeUntilMs(times, at(now))), textOf(nextChangeMs(times, at(now)))],
  )
  expect(seen).toEqual([
    [null, '2026-11-22T23:00'],
    ['2026-11-23T01:00', '2026-11-23T01:00'],
    ['2026-11-23T01:00', '2026-11-23T01:00'],
    [null, '2026-11-29T23:00'],
  ])
})

test('a weekly window on several days changes next on the nearest of them', () => {
  const days = ['mon', 'wed', 'fri'] as const
  const times: WindowTimes = { repeats: 'weekly', days: [...days], startsAt: '02:30', minutes: 30 }
  expect(textOf(nextChangeMs(times, at('2026-11-25T03:00')))).toBe('2026-11-27T02:30')
  expect(textOf(nextChangeMs(times, at('2026-11-28T00:00')))).toBe('2026-11-30T02:30')
})

test.each([
  [{ repeats: 'once', from: '2026-11-20T04:00:00Z', until: '2026-11-20T04:00:00Z' }, 'times.until'],
  [{ repeats: 'weekly', days: [], startsAt: '02:30', minutes: 30 }, 'times.days'],
  [{ repeats: 'weekly', days: ['mon'], startsAt: '24:00', minutes: 30 }, 'times.startsAt'],
  [{ repeats: 'weekly', days: ['mon'], startsAt: '02:00', minutes: 1441 }, 'times.minutes'],
])('times that are no valid span are refused at their field: %j', (times, field) => {
  const { error } = MaintenanceDraft.safeParse({
    title: 'Firmware',
    covers: { kind: 'group', id: 'g' },
    times,
  })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
})
