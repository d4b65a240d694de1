import { expect, test } from 'vitest'
import { isoOfClockText, clockText } from './clock-text.rules.ts'

test('a moment goes through a field and comes back, by the minute', () => {
  const ms = Date.UTC(2026, 10, 27, 5, 7)
  expect(clockText(ms)).toBe('2026-11-27 05:07')
  expect(isoOfClockText(` ${clockText(ms)} `)).toBe('2026-11-27T05:07:00.000Z')
})

test.each(['', 'soon', '2026-11-31 05:07', '2026-02-29 05:07', '2026-11-27 24:01', '2026-11-27'])(
  "'%s' is no moment",
  (text) => {
    expect(isoOfClockText(text)).toBeNull()
  },
)
