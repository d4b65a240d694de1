import { expect, test } from 'vitest'
import { decimalText, wholeText } from './number-text.rules.ts'

test('numbers in a text have groups of three and a fixed number of digits', () => {
  expect([wholeText(4499.6), wholeText(0)]).toEqual(['4,500', '0'])
  expect([decimalText(0.24, 1), decimalText(3, 1)]).toEqual(['0.2', '3.0'])
  expect([decimalText(4499.6, 1), decimalText(0.1 + 0.2, 2)]).toEqual(['4,499.6', '0.30'])
})

test('as many digits as a number has are written where none are given', () => {
  expect([decimalText(2.04, null), decimalText(3, null)]).toEqual(['2.04', '3'])
})
