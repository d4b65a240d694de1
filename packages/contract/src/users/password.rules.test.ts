import { expect, test } from 'vitest'
import { isPersonalPassword } from './password.rules.ts'

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
])('%s is more than that', (password) => {
  expect(isPersonalPassword(password, PERSONAL)).toBe(false)
})

test('names that are too short to mean anything refuse nothing', () => {
  expect(isPersonalPassword('bobobobobobo', ['Bo', '', 'x@y.z'])).toBe(false)
})
