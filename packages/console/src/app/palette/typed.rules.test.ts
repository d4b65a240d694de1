import type { FoundKind } from '@trunkline/contract/search/found-key.rules'
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { inert, MAY } from '../../programs/command/command.rules.ts'
import { actionsOn, commandFor, reasonAgainst } from './palette-action.rules.ts'
import { additionsFor, pagesFor } from './place.rules.ts'
import { isNamed, isSearched, readTyped } from './typed.rules.ts'

test.each([
  ['restart marathon', { command: 'restart', text: 'marathon' }],
  [' Stop  km 30 ', { command: 'stop', text: 'km 30' }],
  ['restart', { command: null, text: 'restart' }],
  ['starting gate', { command: null, text: 'starting gate' }],
] as const)('%s is a command, and what it is for', (line, typed) => {
  expect(readTyped(line)).toEqual(typed)
})

test.each([
  ['ab', false],
  ['abc', true],
  ['5', false],
  ['50', true],
  ['é̂b', false],
])('objects are looked for by %s: %s', (text, isAsked) => {
  expect(isSearched(text)).toBe(isAsked)
})

test('each typed word begins a word of the label', () => {
  expect(isNamed('Signal paths', 'path sig')).toBe(true)
  expect(isNamed('Signal paths', 'aths')).toBe(false)
})

const KINDS: readonly FoundKind[] = ['encoder', 'feeder', 'input', 'output', 'channel', 'server']

test('ROLE-11 what a role may not do is not offered', () => {
  const offered = Object.fromEntries(
    ROLES.map((role) => [role, KINDS.map((kind) => actionsOn({ kind }, null, role).length)]),
  )
  expect(offered).toEqual({
    superadmin: [4, 4, 4, 4, 4, 0],
    admin: [4, 4, 4, 4, 4, 0],
    manager: [4, 4, 4, 4, 4, 0],
    editor: [4, 4, 1, 1, 1, 0],
    monitor: [1, 1, 1, 1, 1, 0],
  })
  expect(actionsOn({ kind: 'encoder' }, 'restart', 'monitor')).toEqual([])
  expect(additionsFor('monitor')).toEqual([])
  expect(additionsFor('manager').map(({ label }) => label)).toEqual([
    'Add encoder',
    'Add input',
    'Add output',
    'Add destination',
    'Sync channels',
    'Add user',
  ])
  expect(pagesFor('editor').map(({ label }) => label)).not.toContain('Servers')
})

test('what cannot be done now has its reason', () => {
  expect(commandFor('turn', 'running')).toBe('stop')
  expect(commandFor('turn', 'stopped')).toBe('start')
  expect(reasonAgainst('start', 'running', MAY, false)).toBe('Already running.')
  expect(reasonAgainst('stop', 'stopped', MAY, false)).toBe('Not running.')
  expect(reasonAgainst('restart', 'stopped', inert('Not running. Start it first.'), false)).toBe(
    'Not running. Start it first.',
  )
  expect(reasonAgainst('start', 'stopped', MAY, true)).toBe('A command for it is under way.')
  expect(reasonAgainst('start', 'stopped', MAY, false)).toBeNull()
})
