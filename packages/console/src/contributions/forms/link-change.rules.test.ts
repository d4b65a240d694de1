import { expect, test } from 'vitest'
import { inputOf } from '../../test/link.samples.ts'
import { changesOf } from './link-change.rules.ts'
import { type LinkValues, readOf } from './link-values.rules.ts'

function inputWith(parts: Parameters<typeof inputOf>[1]): LinkValues {
  return readOf(inputOf('a', parts)).values
}

function textsOf(base: LinkValues, values: LinkValues): string[] {
  return changesOf(base, values, (_, id) => id).map(
    ({ label, before, after }) => `${label}: ${before} → ${after}`,
  )
}

const WITH_KEY = { 'encryption.selection': 'yes', 'encryption.passphrase': 'longer-than-ten' }

test('what saving changes: a passphrase is as stored only where one is stored', () => {
  const bare = inputWith({ inputType: 'SRT' })
  const typed = { ...bare, fields: { ...bare.fields, ...WITH_KEY } }
  expect(textsOf(bare, typed)).toContain('Passphrase: none → a new one')
  const stored = { ...bare, hasKey: true }
  expect(textsOf(stored, { ...typed, hasKey: true })).toContain('Passphrase: as stored → a new one')
})

test('what saving changes: an empty parameter is no difference', () => {
  const base = inputWith({ inputType: 'SRT' })
  expect(textsOf(base, { ...base, advanced: [{ key: '', value: ' ' }] })).toEqual([])
  expect(textsOf(base, { ...base, advanced: [{ key: 'mss', value: '1400' }] })).toEqual([
    'Advanced parameters: – → mss=1400',
  ])
})
