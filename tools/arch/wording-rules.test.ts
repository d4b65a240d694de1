import { expect, test } from 'vitest'
import { checkWording } from './wording-rules.ts'

function faultsOf(path: string, text: string): string[] {
  return checkWording([{ path: `packages/${path}`, text }])
}

test.each([
  'rows.map((one) => one.id)',
  'const told = new Map()',
  'for (const one of all) use(one)',
  'const { said } = answer',
  'function hurry() {}',
  'class Queue { bring() {} }',
  'class Queue { #told = [] }',
  'export interface Known { said: string }',
  'const isTold = true',
  'let toldAtMs = 0',
  'function onItsWordAlone() {}',
])('a name that says nothing is found: %s', (text) => {
  expect(faultsOf('api/src/users/user.service.ts', text)).toHaveLength(1)
})

test.each([
  'client.one(1)',
  `// one by one\nconst a = 'one'`,
  'const b = { one: 1 }',
  'const threshold = 1',
])('a word in a text, and a name that something else gave, are allowed: %s', (text) => {
  expect(faultsOf('api/src/users/user.service.ts', text)).toEqual([])
})

test.each([
  [`export const TITLE = 'Way of the picture'`, 'console/src/channels/channel.messages.ts'],
  ['const a = `${count} packets a step`', 'console/src/shared/history.rules.ts'],
  [`const a = <p>Its outputs go dark.</p>`, 'console/src/encoders/EncoderCard.tsx'],
  [`throw new Refused('It has 5000 kbps.')`, 'agent/src/streams/stream.refusal.ts'],
])('a phrase that is not used is found where an operator reads it: %s', (text, path) => {
  expect(faultsOf(path, text)).toHaveLength(1)
})

test.each([
  [`// Way of the picture`, 'console/src/channels/path.rules.ts'],
  [`const kbps = 1`, 'console/src/channels/Bandwidth.tsx'],
  [`test('goes dark', run)`, 'console/src/channels/path.rules.test.ts'],
])('a phrase outside the texts for an operator is allowed: %s', (text, path) => {
  expect(faultsOf(path, text)).toEqual([])
})

test('a fault names the file, the word and what to use', () => {
  expect(faultsOf('api/src/a.ts', 'const nouns = 1')).toEqual([
    `packages/api/src/a.ts: the name 'nouns' says nothing; use toRecords`,
  ])
})
