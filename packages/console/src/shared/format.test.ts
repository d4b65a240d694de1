import { expect, test } from 'vitest'
import { agoText, durationText, kbpsOf, numberText, clockTimeText } from './format.ts'

test.each([
  [0, '0:00'],
  [42_000, '0:42'],
  [4_364_000, '1:12:44'],
  [(12 * 86_400 + 4 * 3600 + 11 * 60) * 1000, '12 d 04:11'],
  [-5000, '0:00'],
])('%i ms lasts %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('DASH-11 the mux rate by 1000, with its comma', () => {
  expect(kbpsOf(4_500_000)).toBe(4500)
  expect(numberText(4500)).toBe('4,500')
})

test('unknown is a dash, never 0; measured zero is 0', () => {
  expect(numberText(null)).toBe('–')
  expect(numberText(0)).toBe('0')
})

test('times are UTC', () => {
  expect(clockTimeText(Date.UTC(2026, 10, 21, 14, 2, 37))).toBe('14:02:37')
})

test.each([
  [-40, '0 s ago'],
  [59_999, '59 s ago'],
  [125_000, '2:05 ago'],
])('a reading of %i ms is %s', (ms, text) => {
  expect(agoText(ms)).toBe(text)
})
