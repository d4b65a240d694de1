import { expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { destinationOf } from '../../test/link.samples.ts'
import { bodyOf, checkDestination, valuesOf, withKeyChoice } from './destination-form.rules.ts'
import { rememberedDestinations } from './destination.queries.ts'

const YES = { selection: 'yes', passphrase: '', type: 256, passphraseSet: true } as const
const stored = valuesOf(destinationOf('d', { encryption: YES }))
const ADMIN = { picksGroup: true, hasKey: true }

test('a stored key may stay as it is, a new destination needs one', () => {
  expect(checkDestination(stored, ADMIN)).toEqual({})
  expect(checkDestination(stored, { ...ADMIN, hasKey: false })).toEqual({
    passphrase: 'This field is required',
  })
})

test.each(['abc', 'with a space in it', 'a&b=c12345', 'ü'.repeat(12), 'x'.repeat(80)])(
  'decisions 13: %s is no passphrase',
  (passphrase) => {
    const faults = checkDestination({ ...stored, passphrase }, ADMIN)
    expect(faults.passphrase).toMatch(/must be 10 to 79 characters/)
  },
)

test('CON-DEST-07 no sets the type to 128 and empties the passphrase', () => {
  const values = { ...stored, passphrase: 'correct-horse', ...withKeyChoice('no') }
  expect(bodyOf(values, true).encryption).toEqual({ selection: 'no', passphrase: '', type: 128 })
})

test('CON-DEST-05 a manager sends no group', () => {
  expect('groupId' in bodyOf(stored, false)).toBe(false)
})

test('STORE-08 of what the browser has stored only valid destinations are used', () => {
  expect(rememberedDestinations()).toBeUndefined()
  storage.listDestinations.write([destinationOf('d'), { id: 7 }, 'x', null])
  expect(rememberedDestinations()?.map(({ id }) => id)).toEqual(['d'])
  localStorage.setItem('list-destinations', '{"broken"')
  expect(rememberedDestinations()).toBeUndefined()
  localStorage.clear()
})
