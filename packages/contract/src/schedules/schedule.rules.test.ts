import { describe, expect, test } from 'vitest'
import {
  isTimeZone,
  localTimeAt,
  momentOf,
  nextMomentMs,
  sharedMomentMs,
} from './schedule.rules.ts'
import type { ScheduleTimes } from './schedule.schema.ts'

function weekly(
  days: Extract<ScheduleTimes, { repeats: 'weekly' }>['days'],
  time: string,
  timeZone: string,
): ScheduleTimes {
  return { repeats: 'weekly', days, time, timeZone }
}

/** The next moments, one after the other, as ISO text by the minute. */
function nextOf(times: ScheduleTimes, after: string, count: number): string[] {
  const found: string[] = []
  let lastMs = Date.parse(after)
  while (found.length < count) {
    const nextMs = nextMomentMs(times, lastMs)
    if (nextMs === null) break
    found.push(new Date(nextMs).toISOString().slice(0, 16))
    lastMs = nextMs
  }
  return found
}

test('a schedule of one moment is due once', () => {
  const times: ScheduleTimes = {
    repeats: 'once',
    at: '2026-11-27T18:00:00Z',
    timeZone: 'Europe/Paris',
  }
  expect(nextOf(times, '2026-11-01T00:00:00Z', 2)).toEqual(['2026-11-27T18:00'])
  expect(nextMomentMs(times, Date.parse('2026-11-27T18:00:00Z'))).toBeNull()
})

test('a weekly schedule is due on each of its days, by the date of its zone', () => {
  expect(nextOf(weekly(['mon', 'fri'], '18:30', 'UTC'), '2026-11-27T18:29:59Z', 3)).toEqual([
    '2026-11-27T18:30',
    '2026-11-30T18:30',
    '2026-12-04T18:30',
  ])
  // Friday evening in New York is Saturday by UTC.
  expect(nextOf(weekly(['fri'], '21:00', 'America/New_York'), '2026-11-27T12:00:00Z', 2)).toEqual([
    '2026-11-28T02:00',
    '2026-12-05T02:00',
  ])
  // The moment itself is not due again.
  expect(nextOf(weekly(['fri'], '18:30', 'UTC'), '2026-11-27T18:30:00Z', 1)).toEqual([
    '2026-12-04T18:30',
  ])
})

test('a weekly schedule keeps its local time over daylight saving', () => {
  expect(
    nextOf(weekly(['sat', 'sun'], '18:00', 'Europe/Paris'), '2026-03-27T00:00:00Z', 3),
  ).toEqual(['2026-03-28T17:00', '2026-03-29T16:00', '2026-04-04T16:00'])
  const autumn = weekly(['sat', 'sun'], '18:00', 'America/New_York')
  expect(nextOf(autumn, '2026-10-31T00:00:00Z', 2)).toEqual([
    '2026-10-31T22:00',
    '2026-11-01T23:00',
  ])
})

describe('a time that the clock skips is due at the first moment after the gap', () => {
  test.each([
    ['Europe/Paris', '2026-03-29', '02:30', '2026-03-29T01:00'],
    ['Europe/Paris', '2026-03-29', '02:00', '2026-03-29T01:00'],
    ['Europe/Paris', '2026-03-29', '03:00', '2026-03-29T01:00'],
    ['America/New_York', '2026-03-08', '02:59', '2026-03-08T07:00'],
    ['UTC', '2026-03-29', '02:30', '2026-03-29T02:30'],
  ])('%s %s %s', (timeZone, date, time, expected) => {
    const times = weekly(['sun'], time, timeZone)
    expect(nextOf(times, `${date}T00:00:00Z`, 1)).toEqual([expected])
  })
})

describe('a time that comes twice is due the first time alone', () => {
  test.each([
    ['Europe/Paris', '2026-10-25', '02:30', '2026-10-25T00:30', '2026-11-01T01:30'],
    ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30', '2026-11-08T06:30'],
    ['UTC', '2026-10-25', '02:30', '2026-10-25T02:30', '2026-11-01T02:30'],
  ])('%s %s %s', (timeZone, date, time, ...expected) => {
    const times = weekly(['sun'], time, timeZone)
    expect(nextOf(times, `${date}T00:00:00Z`, 2)).toEqual(expected)
  })
})

test('a day that a zone leaves out is due when the next day begins', () => {
  const local = { year: 2011, month: 12, day: 30, hour: 12, minute: 0 }
  expect(new Date(momentOf(local, 'Pacific/Apia')).toISOString()).toBe('2011-12-30T10:00:00.000Z')
})

test('the clock of a zone is read, and what is no zone is known', () => {
  const ms = Date.parse('2026-11-27T23:30:00Z')
  expect(localTimeAt(ms, 'Asia/Kolkata')).toEqual({
    year: 2026,
    month: 11,
    day: 28,
    hour: 5,
    minute: 0,
  })
  expect([isTimeZone('Europe/Paris'), isTimeZone('Europe/Nowhere'), isTimeZone('')]).toEqual([
    true,
    false,
    false,
  ])
})

describe('two schedules share their first moment within the same minute', () => {
  const once = (at: string): ScheduleTimes => ({ repeats: 'once', at, timeZone: 'UTC' })
  const workdays = weekly(['mon', 'wed', 'fri'], '18:00', 'Europe/Paris')
  test.each([
    ['two moments', once('2026-12-01T18:00:00Z'), once('2026-12-01T18:00:30Z'), '2026-12-01T18:00'],
    ['a minute apart', once('2026-12-01T18:00:00Z'), once('2026-12-01T18:01:00Z'), null],
    ['once in the past', once('2026-11-01T17:00:00Z'), workdays, null],
    ['once, months ahead', once('2027-03-01T17:00:00Z'), workdays, '2027-03-01T17:00'],
    ['once, on no such day', once('2027-03-02T17:00:00Z'), workdays, null],
    ['a shared day', workdays, weekly(['thu', 'fri'], '18:00', 'Europe/Paris'), '2026-12-04T17:00'],
    ['no shared day', workdays, weekly(['sun'], '18:00', 'Europe/Paris'), null],
    ['another hour', workdays, weekly(['mon'], '18:01', 'Europe/Paris'), null],
    ['another zone', workdays, weekly(['mon'], '17:00', 'UTC'), '2026-11-30T17:00'],
  ])('%s', (_name, a, b, expected) => {
    const afterMs = Date.parse('2026-11-28T12:00:00Z')
    for (const ms of [sharedMomentMs(a, b, afterMs), sharedMomentMs(b, a, afterMs)]) {
      expect(ms === null ? null : new Date(ms).toISOString().slice(0, 16)).toBe(expected)
    }
  })
})
