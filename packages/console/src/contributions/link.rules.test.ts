import type { ContributionStatusReply, ProgramState } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { inputOf, outputOf } from '../test/link.samples.ts'
import { INERT } from './contribution.messages.ts'
import {
  disabledReason,
  linkOfInput,
  linkOfOutput,
  offersStop,
  statusFromReply,
} from './link.rules.ts'

const link = linkOfInput(inputOf('a'))

test.each<[ProgramState, boolean]>([
  ['running', true],
  ['starting', true],
  ['stopping', true],
  ['backoff', true],
  ['stopped', false],
  ['exited', false],
  ['fatal', false],
  ['absent', false],
  ['unreachable', false],
  ['unknown', false],
])('CON-IN-23 %s offers Stop and Restart: %s', (state, isUp) => {
  expect(offersStop(state)).toBe(isUp)
  expect(disabledReason('restart', link, state)).toBe(isUp ? null : INERT.notRunning)
})

test.each<ProgramState>(['stopped', 'exited', 'fatal', 'absent', 'unreachable', 'unknown'])(
  'Q136 Start works for %s',
  (state) => {
    expect(disabledReason('start', link, state)).toBeNull()
  },
)

test('Q136 nothing works on what is disabled, Local or not read yet', () => {
  expect(disabledReason('start', { ...link, isEnabled: false }, 'stopped')).toBe(INERT.disabled)
  expect(disabledReason('start', { ...link, type: 'Local' }, null)).toBe(INERT.local)
  expect(disabledReason('start', link, null)).toBe(INERT.notRead)
})

test('an output runs on its input, an input knows what hangs behind it', () => {
  expect(linkOfOutput(outputOf('o', { contributionId: 'i' }))).toMatchObject({
    kind: 'output',
    inputId: 'i',
    outputs: 0,
  })
  expect(linkOfInput(inputOf('i', { outputIds: ['a', 'b'] }))).toMatchObject({ outputs: 2 })
})

const running: ContributionStatusReply = {
  status: true,
  results: 'a RUNNING pid 1, uptime 0:12:34',
  state: 'running',
}

test('a polled answer is a status that proves the process alone', () => {
  expect(statusFromReply(link, running, 5)).toMatchObject({
    kind: 'input',
    state: 'running',
    wanted: 'running',
    peer: '',
    reading: null,
  })
  expect(statusFromReply(link, null, 5).state, 'CON-IN-18').toBe('unknown')
})
