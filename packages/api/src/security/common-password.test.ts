import { randomBytes } from 'node:crypto'
import { simplicityOf } from '@trunkline/contract/users/password.rules'
import { expect, test } from 'vitest'
import { isCommonPassword } from './common-password.ts'

test.each([
  'qwerty123456',
  'QWERTY123456',
  '1qaz2wsx3edc',
  'password1234',
  'leavemealone',
  'password123456',
  '2026!Password!2026',
  '123456-letmein',
  'passw0rd123456',
  'abc123!!!!!!!!!',
])('%s is common', async (password) => {
  expect(await isCommonPassword(password)).toBe(true)
})

test.each([
  'correct horse battery',
  'seven quiet lighthouses',
  'see you at nine',
  'password for nobody',
  '482193045712',
  'Zq3_vT-9bLxA',
  'correct-horse-battery',
])('%s is not', async (password) => {
  expect(await isCommonPassword(password)).toBe(false)
})

test('passwords that the product generates are accepted', () => {
  for (let at = 0; at < 2000; at++) {
    const password = randomBytes(9).toString('base64url')
    expect(simplicityOf(password), password).toBeNull()
  }
})
