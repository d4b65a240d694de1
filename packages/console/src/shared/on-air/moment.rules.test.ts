import { expect, test } from 'vitest'
import { fieldOfMoment, isoOfField } from './moment.rules.ts'

test('a moment goes through a field of date and time and comes back, by the minute', () => {
  const ms = Date.UTC(2026, 10, 27, 5, 7)
  expect(Date.parse(isoOfField(fieldOfMoment(ms)) ?? '')).toBe(ms)
})

test('an empty or broken field is no moment', () => {
  expect(isoOfField('')).toBeNull()
  expect(isoOfField('soon')).toBeNull()
})
