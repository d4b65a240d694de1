import { expect, test } from 'vitest'
import { isCommonPassword } from './common-password.ts'

test.each(['qwerty123456', 'QWERTY123456', '1qaz2wsx3edc', 'password1234', 'leavemealone'])(
  '%s is common',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true)
  },
)

test.each(['correct horse battery', 'seven quiet lighthouses', 'see you at nine'])(
  '%s is not',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false)
  },
)
