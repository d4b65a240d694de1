import { expect, test } from 'vitest'
import { assertGoodPassword } from './new-password.service.ts'

const PERSON = { firstName: 'Ann', lastName: 'Lee', email: 'ann.lee@north.example' }

async function refusalOf(password: string): Promise<string> {
  const check = assertGoodPassword('password', password, PERSON, 'yours')
  return check.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

test.each([
  ['short', 'password must be at least 12 characters long.'],
  ['111111111111', 'password must have at least 5 different characters.'],
  ['aaaaaaaaaaaa', 'password must have at least 5 different characters.'],
  ['1234567890123', 'password must not be a plain sequence of digits, letters or keys.'],
  ['password123456', 'password is a common password. Choose another.'],
  ['Ann.Lee-2026!', 'password must not consist mainly of your name or e-mail address.'],
  ['correct-horse-battery', ''],
])('the new password %s: %s', async (password, refusal) => {
  expect(await refusalOf(password)).toBe(refusal)
})

test('of somebody else it is the name or e-mail address, not yours', async () => {
  const check = assertGoodPassword('password', 'Ann.Lee-2026!', PERSON, 'theirs')
  await expect(check).rejects.toThrow(
    'password must not consist mainly of the name or e-mail address.',
  )
})
