import { expect, test } from 'vitest'
import { sentenceReader } from './sentence-reader.rules.ts'

const read = sentenceReader({
  'Save again.': 'Enregistrez à nouveau.',
  'The host {0} does not answer.': 'L’hôte {0} ne répond pas.',
  'The host {0} does not answer. It is tried again.': 'L’hôte {0} ne répond pas. Nouvel essai.',
  '{0} was moved to {1}.': 'Vers {1} est allé {0}.',
  '{0}': 'jamais {0}',
  'must be {0} to {1}.': 'doit aller de {0} à {1}.',
  'must not be empty.': 'ne doit pas être vide.',
  'the push output {0}': 'la sortie {0}',
  'Check (a+b)? {0}': 'Vérifiez (a+b) ? {0}',
})

test.each([
  ['Save again.', 'Enregistrez à nouveau.'],
  ['The host Paris 1 does not answer.', 'L’hôte Paris 1 ne répond pas.'],
  ['The host A does not answer. It is tried again.', 'L’hôte A ne répond pas. Nouvel essai.'],
  ['The host A does not answer. Save again.', 'L’hôte A ne répond pas. Enregistrez à nouveau.'],
  ['Port must be 1 to 65535.', 'Port doit aller de 1 à 65535.'],
  [
    'Title must not be empty. Port must be 1 to 9.',
    'Title ne doit pas être vide. Port doit aller de 1 à 9.',
  ],
  ['the push output x was moved to b.', 'Vers b est allé la sortie x.'],
  ['Check (a+b)? now', 'Vérifiez (a+b) ? now'],
])('design 9 %s is read as %s', (english, other) => {
  expect(read(english)).toBe(other)
  expect(read(english)).toBe(other)
})

test('what is not known stays, between what is', () => {
  const strange = 'Connection setup failure: connection timed out'
  expect(read(`${strange}. Save again.`)).toBe(`${strange}. Enregistrez à nouveau.`)
  expect(read('Hello there')).toBe('Hello there')
  expect(read('')).toBe('')
})
