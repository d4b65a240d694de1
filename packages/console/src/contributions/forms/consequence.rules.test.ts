import { expect, test } from 'vitest'
import { type Saved, whichConsequence } from './link-form.rules.ts'

function saved(
  parts: Partial<Saved['link']> & { state?: Saved['state']; isGone?: boolean } = {},
): Saved {
  const { state = 'running', isGone = false, ...link } = parts
  return { link: { type: 'SRT', isEnabled: true, ...link }, state, isGone }
}

test.each([
  ['a new one', null, 'SRT', 'first'],
  ['a new one without a program', null, 'Local', 'first-local'],
  ['one that runs', saved(), 'SRT', 'running'],
  ['one in its retry pause', saved({ state: 'backoff' }), 'RIST', 'running'],
  ['one that is stopped', saved({ state: 'stopped' }), 'SRT', 'stopped'],
  ['one whose host is silent', saved({ state: 'unreachable' }), 'SRT', 'away'],
  ['one that was not read yet', saved({ state: null }), 'SRT', 'unread'],
  ['one that could not be read', saved({ state: 'unknown' }), 'SRT', 'unread'],
  ['one that is deleted', saved({ isGone: true }), 'SRT', 'gone'],
  ['a disabled one', saved({ isEnabled: false, state: 'stopped' }), 'SRT', 'disabled'],
  ['a Local one', saved({ type: 'Local', state: null }), 'Local', 'local'],
  [
    'Q177 a Local one that becomes a link',
    saved({ type: 'Local', state: null }),
    'SRT',
    'was-local',
  ],
  ['Q177 a running link that becomes Local', saved(), 'Local', 'becomes-local'],
  [
    'Q177 one out of reach that becomes Local',
    saved({ state: 'unreachable' }),
    'Local',
    'becomes-local',
  ],
  ['a stopped link that becomes Local', saved({ state: 'stopped' }), 'Local', 'local'],
] as const)('Q178 what saving does to %s', (_what, before, type, which) => {
  expect(whichConsequence(before, type)).toBe(which)
})
