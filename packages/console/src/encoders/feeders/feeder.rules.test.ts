import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { EncoderStatusReply } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { linkReadingOf, STOPPED } from '../../test/link.samples.ts'
import { statusOf } from '../../test/samples.ts'
import { feederOf, feederStatusOf } from './feeder.fixture.ts'
import { rightTo, sourceOf, statusFromReply, troubleOf } from './feeder.rules.ts'

const WEST = feederOf('west')
const SILENT = { reading: linkReadingOf({ bitrateKbps: 0 }) }
const ALONE = { peer: 'disconnected', reading: null } as const

function titleOf(
  feeder: Partial<ProgramStatus>,
  encoder: Partial<ProgramStatus> | null = {},
): string | null {
  const trouble = troubleOf({
    feeder: WEST,
    serverTitle: 'gw-west-02',
    status: feederStatusOf('west', feeder),
    encoder: encoder === null ? null : statusOf('a', encoder),
  })
  return trouble === null ? null : `${trouble.title} (${trouble.offer ?? 'nothing'})`
}

const NOBODY = 'No answer from 203.0.113.20:6022. (nothing)'

test.each<[string, Partial<ProgramStatus>, Partial<ProgramStatus> | null, string | null]>([
  ['all is well', {}, {}, null],
  ['stopped, nothing is expected', STOPPED, {}, null],
  ['the host is silent: its state says so', { state: 'unreachable', waitsForHost: true }, {}, null],
  [
    'saved while the host was away',
    { waitsForHost: true },
    {},
    'The saved settings wait for the host. (nothing)',
  ],
  [
    'changed on the host',
    { changedByHand: 'Its unit was edited.' },
    {},
    'Its unit was edited. (restart-feeder)',
  ],
  [
    'the encoder is off',
    ALONE,
    STOPPED,
    'The encoder does not run, so there is nothing to send. (nothing)',
  ],
  ['both are off', STOPPED, STOPPED, null],
  ['the encoder is not seen', ALONE, { state: 'unreachable' }, NOBODY],
  ['the encoder is not known', ALONE, null, NOBODY],
  [
    'not fed yet',
    SILENT,
    { waitsForRestart: true },
    'The running encoder does not send to port 5000 yet. (restart-encoder)',
  ],
  [
    'not fed yet, and not started',
    STOPPED,
    { waitsForRestart: true },
    'The running encoder does not send to port 5000 yet. (restart-encoder)',
  ],
  ['media moves, so it is fed', {}, { waitsForRestart: true }, null],
  [
    'another passphrase',
    { ...ALONE, cause: 'The two ends have different passphrases (SRT).' },
    {},
    'The other end refuses our passphrase. (edit)',
  ],
  [
    'it runs with older settings',
    { waitsForRestart: true },
    {},
    'It still runs with older settings. (restart-feeder)',
  ],
  ['nobody is there', ALONE, {}, NOBODY],
  [
    'its target hears nothing',
    SILENT,
    {},
    'The target is connected, but no packets arrive on port 5000. (nothing)',
  ],
])('%s', (_, feeder, encoder, title) => {
  expect(titleOf(feeder, encoder)).toBe(title)
})

test('FEED-05 STATE-04 Q93 a polled answer: running only where it says so, unknown where nothing is known', () => {
  const reply = (state: EncoderStatusReply['state'], results: string) =>
    statusFromReply('west', { status: true, results, state }, 5)
  expect(reply('running', 'west RUNNING pid 7')).toMatchObject({
    state: 'running',
    wanted: 'running',
  })
  expect(reply('fatal', 'west STOPPED (FATAL no route)')).toMatchObject({ state: 'fatal' })
  expect(statusFromReply('west', null, 5).state).toBe('unknown')
  expect(reply('unreachable', '').state, 'an empty answer').toBe('unknown')
})

test('FEED-05 Q93 a polled answer with the specified fields alone', () => {
  const reply = (results: string) => statusFromReply('west', { status: true, results }, 5)
  expect(reply('west RUNNING pid 7, uptime 0:12:34').state).toBe('running')
  expect(reply('west STOPPED').state).toBe('stopped')
  expect(reply('west STOPPED (FATAL no route)')).toMatchObject({
    state: 'fatal',
    cause: 'no route',
  })
  expect(reply('').state).toBe('unknown')
})

test('FEED-06 what a click does', () => {
  const on = { isEnabled: true }
  expect(rightTo('start', on, 'stopped', 'editor').kind).toBe('may')
  expect(rightTo('restart', on, 'stopped', 'editor').kind).toBe('inert')
  expect(rightTo('stop', on, 'backoff', 'manager').kind).toBe('may')
  expect(rightTo('start', on, 'unreachable', 'admin').kind).toBe('inert')
  expect(rightTo('start', on, null, 'admin').kind).toBe('inert')
  expect(rightTo('start', { isEnabled: false }, 'stopped', 'admin').kind).toBe('inert')
  expect(rightTo('start', on, 'stopped', 'monitor').kind).toBe('locked')
})

test('the multicast group is read where it is given', () => {
  expect(sourceOf(WEST)).toBe('127.0.0.1:5000')
  expect(sourceOf({ input: { ...WEST.input, multicast: '239.1.2.3' } })).toBe('239.1.2.3:5000')
})
