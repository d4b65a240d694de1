import { expect, test } from 'vitest'
import { sentenceReader } from './sentence-reader.rules.ts'

const TEXTS = {
  'Save again.': 'Enregistrez à nouveau.',
  'The host {0} does not answer.': 'L’hôte {0} ne répond pas.',
  'The host {0} does not answer. It is tried again.': 'L’hôte {0} ne répond pas. Nouvel essai.',
  '{0} was moved to {1}.': 'Vers {1} est allé {0}.',
  '{0}': 'jamais {0}',
  'must be {0} to {1}.': 'doit aller de {0} à {1}.',
  'must not be empty.': 'ne doit pas être vide.',
  'the push output {0}': 'la sortie {0}',
  'Check (a+b)? {0}': 'Vérifiez (a+b) ? {0}',
  'Ended by {0}': 'Terminé par {0}',
  ' Frames are dropped.': ' Des images sont perdues.',
  'The cable (or its port {0})': 'Le câble (ou son port {0})',
  'Somebody stopped it': 'Quelqu’un l’a arrêté',
  '{0} or {1}': '{0} ou {1}',
  '{0} still has {1}. Move {2} first.': '{0} contient {1!}. Déplacez {2!} d’abord.',
}
const WORDS = {
  encoder: 'encodeur',
  inputs: 'entrées',
  and: 'et',
  them: 'tout',
  'the API': 'l’API',
}
const read = sentenceReader(TEXTS, WORDS)

test.each([
  ['Save again.', 'Enregistrez à nouveau.'],
  ['The host Paris 1 does not answer.', 'L’hôte Paris 1 ne répond pas.'],
  ['The host A does not answer. It is tried again.', 'L’hôte A ne répond pas. Nouvel essai.'],
  ['The host St. Denis does not answer.', 'L’hôte St. Denis ne répond pas.'],
  [
    'The host St. Denis does not answer. The host No. 2 does not answer. Save again.',
    'L’hôte St. Denis ne répond pas. L’hôte No. 2 ne répond pas. Enregistrez à nouveau.',
  ],
  ['The host A does not answer. Save again.', 'L’hôte A ne répond pas. Enregistrez à nouveau.'],
  ['Port must be 1 to 65535.', 'Port doit aller de 1 à 65535.'],
  [
    'Title must not be empty. Port must be 1 to 9.',
    'Title ne doit pas être vide. Port doit aller de 1 à 9.',
  ],
  ['the push output x was moved to b.', 'Vers b est allé la sortie x.'],
  ['Check (a+b)? now', 'Vérifiez (a+b) ? now'],
  ['Ended by SIGKILL. Save again.', 'Terminé par SIGKILL. Enregistrez à nouveau.'],
  ['Save again. Ended by A or B.', 'Enregistrez à nouveau. Terminé par A ou B.'],
  ['Somebody stopped it. Save again.', 'Quelqu’un l’a arrêté. Enregistrez à nouveau.'],
  ['Somebody stopped it', 'Quelqu’un l’a arrêté'],
  ['Frames are dropped. Save again.', 'Des images sont perdues. Enregistrez à nouveau.'],
  ['The cable (or its port 4). Save again.', 'Le câble (ou son port 4). Enregistrez à nouveau.'],
  [
    'encoder still has 1 encoder and 2 inputs. Move them first.',
    'encoder contient 1 encodeur et 2 entrées. Déplacez tout d’abord.',
  ],
  ['A still has the API. Move the rest first.', 'A contient l’API. Déplacez the rest d’abord.'],
])('design 9 %s is read as %s', (english, other) => {
  expect(read(english)).toBe(other)
  expect(read(english)).toBe(other)
})

test('unknown sentences stay as they are, between translated ones', () => {
  const strange = 'Connection setup failure: connection timed out'
  expect(read(`${strange}. Save again.`)).toBe(`${strange}. Enregistrez à nouveau.`)
  expect(read('Hello there')).toBe('Hello there')
  expect(read('')).toBe('')
})
