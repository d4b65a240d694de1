import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { expect, test } from 'vitest'
import { lineOf } from '../../test/audit.samples.ts'
import { agoText, reasonOf, subjectOf, whatOf, whoOf } from './activity.rules.ts'

test.each<[string, Partial<AuditEntry>, string, string]>([
  ['done', {}, 'Edited encoder', ''],
  ['refused is not said as done', { result: 'refused', reason: 'no' }, 'Edit encoder', 'no'],
  ['a command', { call: 'encoders.control', reason: 'stop' }, 'Stopped encoder', ''],
  [
    'a command that failed',
    { call: 'encoders.control', result: 'failed', reason: 'start: port in use: 7001' },
    'Start encoder',
    'port in use: 7001',
  ],
  [
    'a command to a link',
    {
      call: 'contributions.action',
      object: { kind: 'input', _id: 'i', title: '' },
      reason: 'restart',
    },
    'Restarted input',
    '',
  ],
  [
    'a feeder is known by its encoder',
    { call: 'contributions.action', reason: 'stop' },
    'Stopped feeder',
    '',
  ],
  [
    'a command refused before it was looked at',
    { call: 'encoders.control', result: 'refused', reason: 'You are not authorized.' },
    'Send command to encoder',
    'You are not authorized.',
  ],
  [
    'a reason that only looks like a command',
    { call: 'groups.update', reason: 'stop: no' },
    'Edited group',
    'stop: no',
  ],
  [
    'an input that was disabled',
    {
      call: 'inputs.setStatus',
      object: { kind: 'input', _id: 'i', title: 'to Paris' },
      before: { isEnabled: true },
      after: { isEnabled: false },
    },
    'Disabled input',
    '',
  ],
  [
    'an encoder that was enabled',
    { call: 'encoders.enable', after: { isEnabled: true } },
    'Enabled encoder',
    '',
  ],
  [
    'an enabling that was refused',
    { call: 'encoders.enable', result: 'refused', reason: 'no', after: { isEnabled: true } },
    'Enable encoder',
    'no',
  ],
  ['a call of a newer API', { call: 'planets.move' }, 'planets.move', ''],
])('T20 %s', (_name, parts, what, reason) => {
  const entry = lineOf('a', parts)
  expect([whatOf(entry), reasonOf(entry)]).toEqual([what, reason])
})

test('T20 actor: a user, the product, or somebody who was not signed in', () => {
  expect(whoOf(lineOf('a'))).toEqual({ name: 'Night Desk', role: 'admin' })
  expect(whoOf(lineOf('a', { actor: null })).name).toBe('System')
  const object = { kind: 'user', _id: 'u', title: '' } as const
  const refused = lineOf('a', { call: 'session.login', result: 'refused', object })
  expect(whoOf(refused)).toEqual({ name: 'Not signed in', role: '' })
  expect(subjectOf(refused)).toEqual({ kind: 'User', title: 'Night Desk', id: 'u' })
  expect(whoOf(lineOf('a', { call: 'session.login' })).name).toBe('Night Desk')
})

test('the object is its title, or its id when it has none', () => {
  expect(subjectOf(lineOf('a'))).toEqual({ kind: 'Encoder', title: 'Camera 1', id: 'enc-1' })
  expect(subjectOf(lineOf('a', { object: null }))).toEqual({ kind: '', title: '', id: '' })
})

test.each([
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, '1 d ago'],
])('%d ms is %s', (ageMs, text) => {
  expect(agoText(ageMs)).toBe(text)
})
