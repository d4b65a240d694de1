import { expect, test } from 'vitest'
import { isPersonalPassword, simplicityOf } from './password.rules.ts'

const PERSONAL = ['Ann', 'Leé-Smith', 'ann.lee@north.example']

test.each([
  'ann.lee@north.example',
  'ANN LEÉ-SMITH',
  'annleésmith1',
  'Ann-Leé-Smith-2026',
  'north.example.ann',
  'annannannann',
])('%s is little more than the name or the e-mail', (password) => {
  expect(isPersonalPassword(password, PERSONAL)).toBe(true)
})

test.each([
  'correct horse battery',
  'ann rides a brown horse',
  'cannery row at six',
  'xk7 d9q 2m4 pz',
])('%s is more than the name', (password) => {
  expect(isPersonalPassword(password, PERSONAL)).toBe(false)
})

test('very short names forbid no password', () => {
  expect(isPersonalPassword('bobobobobobo', ['Bo', '', 'x@y.z'])).toBe(false)
})

test.each(['111111111111', 'aaaaaaaaaaaa', 'abababababab', 'Aa1!Aa1!aa1!'])(
  '%s has too few different characters',
  (password) => {
    expect(simplicityOf(password)).toBe('few characters')
  },
)

test.each([
  '1234567890123',
  '0987654321098',
  'abcdefghijkl',
  'ZYXWVUTSRQPO',
  'qwertyuiop[]',
  'poiuytrewqlk',
  'asdfghjklzxcv',
  '1qaz2wsx3edc',
  'qwertzuiopas',
  'azertyuiopqs',
  '1234qwerasdf',
  'aaaabbbbccccddddeeee',
])('%s is a sequence', (password) => {
  expect(simplicityOf(password)).toBe('sequence')
})

test.each([
  'correct-horse-battery',
  'seven quiet lighthouses',
  'a fresh and long one',
  'long enough for this',
  'xk7 d9q 2m4 pz',
  '482193045712',
  'Zq3_vT-9bLxA',
  'stuvwxyz and the rest of it',
])('%s is not a sequence and has enough different characters', (password) => {
  expect(simplicityOf(password)).toBeNull()
})
