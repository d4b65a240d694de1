import { expect, test } from 'vitest'
import { readToken, signedText, tokenQuery, tokenText } from './playback-token.rules.ts'

const SIGNATURE = 'A-_'.repeat(14) + 'z'

test('a written token reads back', () => {
  const token = { expiresAtS: 1_800_000_000, signature: SIGNATURE }
  expect(readToken(tokenText(token))).toEqual(token)
  expect(tokenQuery(tokenText(token))).toBe(`?token=1800000000-${SIGNATURE}`)
})

test.each([
  '',
  '1800000000',
  `-${SIGNATURE}`,
  `0-${SIGNATURE}`,
  `1e9-${SIGNATURE}`,
  `-1-${SIGNATURE}`,
  `1800000000000-${SIGNATURE}`,
  `1800000000-${SIGNATURE}x`,
  `1800000000-${SIGNATURE.slice(1)}`,
  `1800000000-${SIGNATURE}\n`,
])('%j is not a token', (text) => {
  expect(readToken(text)).toBeNull()
})

test('each pair of name and expiry is signed as a different text', () => {
  expect(signedText('1/a', 1)).not.toBe(signedText('/a', 11))
  expect(signedText('news', 1)).toBe('1 news')
})
