import type { Schedule } from '@trunkline/contract/schedules/schedule.schema'
import { expect, test } from 'vitest'
import {
  checkSchedule,
  contentOf,
  firstAt,
  isoOfLocalText,
  localText,
  newValues,
  valuesOf,
} from './schedule-form.rules.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00Z')
const START = newValues(NOW_MS, 'Europe/Paris')

test('a new schedule is once, in an hour, by the clock of the zone', () => {
  expect(START).toMatchObject({ repeats: 'once', at: '2026-11-27 14:00', timeZone: 'Europe/Paris' })
  expect(checkSchedule(START, [], NOW_MS)).toEqual({})
  expect(contentOf(START, [])).toEqual({
    command: 'start',
    source: null,
    times: { repeats: 'once', at: '2026-11-27T13:00:00.000Z', timeZone: 'Europe/Paris' },
    alsoOnAir: false,
    note: '',
  })
})

test('local text and moment belong to each other, and what is no date is none', () => {
  const ms = Date.parse('2026-07-01T16:30:00Z')
  expect(localText(ms, 'America/New_York')).toBe('2026-07-01 12:30')
  expect(isoOfLocalText('2026-07-01 12:30', 'America/New_York')).toBe('2026-07-01T16:30:00.000Z')
  expect(isoOfLocalText(' 2026-11-30 7:30 ', 'UTC')).toBe('2026-11-30T07:30:00.000Z')
  expect(isoOfLocalText('2026-11-31 12:30', 'UTC')).toBeNull()
  expect(isoOfLocalText('2026-11-30 24:30', 'UTC')).toBeNull()
  expect(isoOfLocalText('2026-11-30', 'UTC')).toBeNull()
  expect(isoOfLocalText('2026-11-30 12:30', 'Europe/Nowhere')).toBeNull()
})

test('what is wrong is said at its field', () => {
  const faults = (change: Partial<typeof START>) =>
    checkSchedule({ ...START, ...change }, [{ index: 0, url: 'srt://:1' }], NOW_MS)
  expect(faults({ at: '2026-11-27 12:59' }).at).toBe('Date and time must be in the future.')
  expect(faults({ at: 'soon' }).at).toContain('must be a time such as')
  const weekly = { repeats: 'weekly' as const, days: ['fri' as const], time: '18:00' }
  expect(faults(weekly)).toEqual({})
  expect(faults({ ...weekly, days: [] }).days).toBe('Days must have at least one day.')
  expect(faults({ ...weekly, time: '25:00' }).time).toBe('Time must be a time such as 18:00.')
  expect(faults({ command: 'switch' }).source).toBe('Choose the source to switch to.')
  expect(faults({ command: 'switch', source: '0' })).toEqual({})
})

test('the form says when it would be due first', () => {
  const weekly = { ...START, repeats: 'weekly' as const, days: ['fri' as const], time: '12:30' }
  expect(firstAt(weekly, NOW_MS)).toBe('2026-12-04T11:30:00.000Z')
  expect(firstAt({ ...weekly, time: '7:30' }, NOW_MS)).toBe('2026-12-04T06:30:00.000Z')
  expect(firstAt({ ...weekly, days: [] }, NOW_MS)).toBeNull()
})

test('a schedule is read into the form as it is', () => {
  const schedule: Schedule = {
    _id: 's',
    id: 's',
    version: 3,
    object: { kind: 'channel', id: 'c', title: 'Live' },
    command: 'switch',
    source: { index: 1, url: 'srt://:2' },
    times: { repeats: 'weekly', days: ['mon'], time: '06:00', timeZone: 'UTC' },
    alsoOnAir: true,
    isEnabled: true,
    note: 'Morning',
    by: 'Ann Lee',
    nextAt: '2026-11-30T06:00:00.000Z',
    lastRun: null,
  }
  const values = { source: '1', days: ['mon'], time: '06:00', alsoOnAir: 'yes' }
  expect(valuesOf(schedule, NOW_MS)).toMatchObject(values)
})
