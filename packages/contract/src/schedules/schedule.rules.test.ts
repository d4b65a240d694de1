import { describe, expect, test } from 'vitest'
import { isTimeZone, localTimeAt, momentOf, nextMomentMs } from './schedule.rules.ts'
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
