import { expect, test } from 'vitest'
import { eventOfDeed } from './deed.rules.ts'

const DEED = {
  id: 'x',
  at: '2026-11-25T10:00:00.000Z',
  actor_name: 'Ann Lee',
  result: 'done',
  after: null,
}

test.each([
  ['encoders.control', 'restart', null, { kind: 'command', state: 'restart', cause: '' }],
  ['contributions.action', 'start: no answer', null, { state: 'start', cause: 'no answer' }],
  ['encoders.enable', '', '{"isEnabled":false}', { kind: 'command', state: 'disable' }],
  ['encoders.update', 'title', '{"isEnabled":true}', { kind: 'saved', cause: 'title' }],
] as const)('%s with the reason %j is read as %j', (call, reason, after, expected) => {
  expect(eventOfDeed({ ...DEED, call, reason, after })).toMatchObject({
    ...expected,
    actor: 'Ann Lee',
  })
})
