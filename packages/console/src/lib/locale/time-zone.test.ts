import { afterEach, beforeEach, expect, test } from 'vitest'
import { clockIsoOf, momentOfClockOf, timesOfPage } from './time-zone.ts'

const before = process.env['TZ']

beforeEach(() => {
  process.env['TZ'] = 'Europe/Paris'
})

afterEach(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test.each([
  ['utc', '2026-11-27T23:30:00.000Z', '2026-11-27T23:30:00.000'],
  ['local', '2026-11-27T23:30:00.000Z', '2026-11-28T00:30:00.000'],
  ['local', '2026-07-01T12:00:00.000Z', '2026-07-01T14:00:00.000'],
] as const)(
  'design 9 times by %s: %s is shown as %s, and typed as it is shown',
  (times, at, shown) => {
    expect(clockIsoOf(times, Date.parse(at))).toBe(shown)
    expect(new Date(momentOfClockOf(times, shown)).toISOString()).toBe(at)
  },
)

test.each(['utc', 'local'] as const)('what is no time by %s is no moment', (times) => {
  expect(momentOfClockOf(times, '2026-13-27T10:00:00')).toBeNaN()
})

test.each([
  ['local', 'local'],
  ['utc', 'utc'],
  ['', null],
  // Sent by the server of development, which knows nobody.
  ['__ACCOUNT_TIMES__', null],
])('design 9 the page that the API sent with %j has the times %j', (content, expected) => {
  const meta = document.createElement('meta')
  meta.setAttribute('property', 'account-times')
  meta.content = content
  document.head.append(meta)
  expect(timesOfPage()).toBe(expected)
  meta.remove()
  expect(timesOfPage()).toBeNull()
})
