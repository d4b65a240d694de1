import { stateView } from '@trunkline/contract/fleet/state-view.rules'
import {
  contributionChip,
  type ContributionStatusReply,
  type ProgramState,
} from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { inputOf, outputOf } from '../test/link.samples.ts'
import { HOST_DOES_NOT_ANSWER, LINK_REASONS } from '../programs/command/command.messages.ts'
import { inert, MAY, offersStop } from '../programs/command/command.rules.ts'
import { processOnlyView } from '../programs/status/polled-status.rules.ts'
import { INERT } from './contribution.messages.ts'
import { linkOf, rightTo, statusFromReply } from './link.rules.ts'

const link = linkOf(inputOf('a'))

test.each<[ProgramState, boolean]>([
  ['running', true],
  ['starting', true],
  ['stopping', true],
  ['backoff', true],
  ['stopped', false],
  ['exited', false],
  ['fatal', false],
  ['absent', false],
  ['unknown', false],
])('CON-IN-23 %s offers Stop and Restart: %s', (state, isUp) => {
  expect(offersStop(state)).toBe(isUp)
  expect(rightTo('restart', link, state)).toEqual(isUp ? MAY : inert(LINK_REASONS.notRunning))
})

test('Restart of a link whose host is unreachable says so, not that it does not run', () => {
  expect(offersStop('unreachable')).toBe(false)
  expect(rightTo('restart', link, 'unreachable')).toEqual(inert(HOST_DOES_NOT_ANSWER))
})

test.each<ProgramState>(['stopped', 'exited', 'fatal', 'absent', 'unreachable', 'unknown'])(
  'Q136 Start works for %s',
  (state) => {
    expect(rightTo('start', link, state)).toEqual(MAY)
  },
)

test('Q136 no command is enabled for a link that is disabled, Local or not read yet', () => {
  expect(rightTo('start', { ...link, isEnabled: false }, 'stopped')).toEqual(inert(INERT.disabled))
  expect(rightTo('start', { ...link, type: 'Local' }, null)).toEqual(inert(INERT.local))
  expect(rightTo('start', link, null)).toEqual(inert(LINK_REASONS.notRead))
})

test('an output needs its input, and an input counts its outputs', () => {
  expect(linkOf(outputOf('o', { contributionId: 'i' }))).toMatchObject({
    kind: 'output',
    inputId: 'i',
    outputs: 0,
  })
  expect(linkOf(inputOf('i', { outputIds: ['a', 'b'] }))).toMatchObject({ outputs: 2 })
})

const running: ContributionStatusReply = {
  status: true,
  results: 'a RUNNING pid 1, uptime 0:12:34',
  state: 'running',
}

test('a polled status proves only that the process runs', () => {
  expect(statusFromReply(link, running, 5)).toMatchObject({
    kind: 'input',
    state: 'running',
    wanted: 'running',
    peer: '',
    reading: null,
  })
  expect(statusFromReply(link, null, 5).state, 'CON-IN-18').toBe('unknown')
})

const FRESH = { nowMs: 5, isLoaded: true, brokenSinceMs: null }

test.each([
  [
    'CON-IN-12',
    { status: true, results: 'a RUNNING pid 7, uptime 0:12:34' },
    'Running',
    'link not read',
  ],
  ['CON-IN-13', { status: false, results: '', error: 'exit status 3' }, 'Stopped', ''],
  ['CON-IN-13 no error', { status: false, results: '' }, 'Stopped', ''],
  [
    'CON-IN-14',
    { status: false, results: '', error: 'exit status 4' },
    'Offline',
    'host unreachable',
  ],
  ['CON-IN-15', { status: false, results: '', error: 'unknown' }, 'Error', 'status not read'],
  ['CON-IN-16', { status: false, results: '', error: 'Disabled' }, 'Disabled', ''],
  ['Q134', { status: false, results: '', error: 'exit status 255' }, 'Error', 'exit status 255'],
])(
  '%s CON-OUT-06 a status with the specified fields alone: %j reads %s',
  (_, reply, word, cause) => {
    for (const { kind, inputType } of [
      { kind: 'input', inputType: 'SRT' },
      { kind: 'output', inputType: null },
    ] as const) {
      const status = statusFromReply({ ...link, kind }, reply, 5)
      const isEnabled = contributionChip(reply) !== 'Disabled'
      const view = stateView({
        kind,
        inputType,
        isEnabled,
        isConfigured: true,
        status,
        freshness: FRESH,
      })
      const shown = processOnlyView(kind, view)
      expect([shown.word, shown.cause]).toEqual([word, cause])
    }
  },
)
