import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { inert, MAY } from '../../programs/command/command.rules.ts'
import { commandFor, commandsOn, listedOf, reasonAgainst } from './palette-action.rules.ts'
import { additionsFor, pagesFor } from './place.rules.ts'
import { isNamed, isSearched, readTyped } from './typed.rules.ts'

test.each([
  ['restart marathon', { command: 'restart', text: 'marathon' }],
  [' Stop  km 30 ', { command: 'stop', text: 'km 30' }],
  ['restart', { command: null, text: 'restart' }],
  ['remove marathon', { command: 'delete', text: 'marathon' }],
  ['log gate 5', { command: 'log', text: 'gate 5' }],
  ['log out', { command: null, text: 'log out' }],
  ['starting gate', { command: null, text: 'starting gate' }],
] as const)('%s is a command, and what it is for', (line, typed) => {
  expect(readTyped(line, ['Log out'])).toEqual(typed)
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

const KINDS = ['encoder', 'feeder', 'input', 'output', 'channel'] as const

test('ROLE-11 what a role may not do is not offered', () => {
  const offered = Object.fromEntries(
    ROLES.map((role) => [role, KINDS.map((kind) => commandsOn(kind, 'all', role).length)]),
  )
  expect(offered).toEqual({
    superadmin: [2, 2, 2, 2, 2],
    admin: [2, 2, 2, 2, 2],
    manager: [2, 2, 2, 2, 2],
    editor: [2, 2, 0, 0, 0],
    monitor: [0, 0, 0, 0, 0],
  })
  expect(commandsOn('encoder', 'restart', 'monitor')).toEqual([])
  expect(commandsOn('encoder', 'edit', 'admin')).toEqual([])
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

const ROW = [
  { label: 'Log of Gate', icon: 'log', tone: 'plain', does: () => {}, disabledReason: '' },
  { label: 'Edit title', icon: 'pencil', tone: 'plain', does: () => {} },
  { label: 'Disable', icon: 'pause', tone: 'plain', does: () => {} },
  { label: 'Remove from list…', icon: 'bin', tone: 'danger', does: () => {} },
] as const

test.each([
  ['all', ['Log of Gate', 'Edit title', 'Disable', 'Remove from list…']],
  ['commands', ['Log of Gate']],
  ['edit', ['Edit title']],
  ['delete', ['Remove from list…']],
  ['enable', ['Enable']],
  ['clone', []],
] as const)('of what a row offers, %s lists %j', (wanted, labels) => {
  expect(listedOf(ROW, wanted).map(({ label }) => label)).toEqual(labels)
})

test('an action that is under way, or has been done already, says so', () => {
  expect(listedOf(ROW, 'log')[0]?.disabledReason).toBe('A command for it is under way.')
  expect(listedOf(ROW, 'enable')[0]?.disabledReason).toBe('Already enabled.')
  expect(listedOf(ROW, 'disable')[0]?.disabledReason).toBeNull()
})
