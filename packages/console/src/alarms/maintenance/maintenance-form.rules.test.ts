import { expect, test } from 'vitest'
import { checkWindow, draftOf, newValues, valuesOf } from './maintenance-form.rules.ts'
import { timesText } from './maintenance.messages.ts'

const NOW_MS = Date.parse('2026-11-20T02:00:30Z')
const GROUP = { kind: 'group', id: 'north' } as const
const firmware = { ...newValues(GROUP, NOW_MS), title: 'Firmware' }

test('a new window begins now and lasts two hours, in UTC', () => {
  expect(draftOf(firmware)).toEqual({
    title: 'Firmware',
    covers: GROUP,
    times: { repeats: 'once', from: '2026-11-20T02:00:00.000Z', until: '2026-11-20T04:00:00.000Z' },
  })
  expect(checkWindow(firmware)).toEqual({})
})

test.each([
  [{ title: '' }, 'title'],
  [{ id: '' }, 'id'],
  [{ until: '2026-11-20 01:00' }, 'until'],
  [{ until: '2026-11-31 01:00' }, 'until'],
  [{ from: '' }, 'from'],
  [{ repeats: 'weekly', days: [] }, 'days'],
  [{ repeats: 'weekly', days: ['mon'], lasts: 'long' }, 'lasts'],
  [{ repeats: 'weekly', days: ['mon'], lasts: '25:00' }, 'lasts'],
] as const)('%j is said at its field', (typed, field) => {
  expect(Object.keys(checkWindow({ ...firmware, ...typed }))).toEqual([field])
})

test('a weekly window is shown as it was planned', () => {
  const times = { repeats: 'weekly', days: ['wed', 'mon'], startsAt: '02:30', minutes: 90 } as const
  const window = {
    _id: 'w',
    id: 'w',
    version: 1,
    title: 'Cabling',
    covers: { ...GROUP, title: 'North' },
    times: { ...times, days: [...times.days] },
    activeUntil: null,
    nextFrom: null,
  }
  expect(draftOf(valuesOf(window, NOW_MS))).toEqual({ title: 'Cabling', covers: GROUP, times })
  expect(timesText(window.times)).toBe('Mon, Wed 02:30 for 1:30')
})
