import { expect, test } from 'vitest'
import { fractionText, wholeText } from './number-text.rules.ts'

test('numbers in a text have groups of three and a fixed number of digits', () => {
  expect([wholeText(4499.6), wholeText(0)]).toEqual(['4,500', '0'])
  expect([fractionText(0.24, 1), fractionText(3, 1)]).toEqual(['0.2', '3.0'])
})
