import { expect, test } from 'vitest'
import { strengthOf } from './password-strength.rules.ts'

const PERSONAL = ['Night', 'Desk', 'night.desk@trunkline.example']

test.each([
  ['', 'none', ''],
  ['quiet water', 'weak', 'at least 12 characters'],
  ['aaaaaaaaaaaaaaaa', 'weak', 'repeats itself'],
  ['abababababababab', 'weak', 'repeats itself'],
  ['Password123456789', 'weak', 'common password'],
  ['1234567890abcdef', 'weak', 'common password'],
  ['the NIGHT has eyes', 'weak', 'name or the e-mail'],
  ['trunkline rocks!', 'weak', 'name or the e-mail'],
  ['quiet waters', 'fair', 'a few more'],
  ['seven quiet lighthouses', 'strong', 'Strong.'],
])('Q112 %s is %s', (password, strength, words) => {
  const hint = strengthOf(password, PERSONAL)
  expect(hint.strength).toBe(strength)
  expect(hint.sentence).toContain(words)
})
