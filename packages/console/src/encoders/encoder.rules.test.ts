import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import { viewOfEncoder } from '@trunkline/contract/fleet/state-view.rules'
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { configSample, encoderOf, statusOf } from '../test/samples.ts'
import {
  commandName,
  evidenceOf,
  fullStateText,
  isAskedForStatus,
  rightTo,
  uptimeOfReply,
} from './encoder.rules.ts'

const camera = encoderOf('a')

test.each(ROLES)('ROLE-11 row H: a %s and the commands', (role) => {
  const right = rightTo('stop', camera, 'running', role)
  expect(right.kind).toBe(role === 'monitor' ? 'locked' : 'may')
})

test('AUTH-22 without a role there is no command', () => {
  expect(rightTo('start', camera, 'stopped', null).kind).toBe('locked')
})

test('DASH-20 a command to an encoder without a configuration shows a message', () => {
  const bare = encoderOf('b', { config: null })
  for (const command of ['start', 'stop', 'restart'] as const) {
    expect(rightTo(command, bare, null, 'admin')).toEqual({
      kind: 'says',
      sentence: 'This encoder is not yet configured.',
    })
  }
})

test('Q66 a command that is impossible now is disabled, and says why', () => {
  const reason = (...args: Parameters<typeof rightTo>) => {
    const right = rightTo(...args)
    return right.kind === 'inert' ? right.reason : ''
  }
  expect(reason('start', encoderOf('c', { isEnabled: false }), 'stopped', 'admin')).toBe('Disabled')
  expect(reason('start', camera, 'unreachable', 'admin')).toMatch(/host does not answer/)
  expect(reason('restart', camera, 'stopped', 'admin')).toMatch(/Start it instead/)
  expect(reason('start', camera, null, 'admin')).toMatch(/not been read/)
  expect(reason('start', camera, 'stopped', 'admin')).toBe('')
})

test('ENC-10 a disabled or unconfigured encoder is not polled', () => {
  expect(isAskedForStatus(camera)).toBe(true)
  expect(isAskedForStatus({ ...camera, isEnabled: false })).toBe(false)
  expect(isAskedForStatus({ ...camera, config: null })).toBe(false)
})

test('Q61 a command names the configuration', () => {
  expect(commandName(camera)).toBe('encoder0')
  const { name: _, ...nameless } = configSample
  expect(commandName(encoderOf('d', { config: { ...nameless, 'card-idx': 3 } }))).toBe('encoder3')
})

test('an encoder that is too slow says by how much', () => {
  const atMs = Date.now()
  const observed: Observed = {
    peerSinceMs: atMs,
    peerFacts: null,
    media: 'moving',
    mediaSinceMs: atMs,
    warning: 'slow',
    warningSinceMs: atMs,
  }
  const reading: Reading = {
    kind: 'encode',
    atMs,
    bitrateKbps: 1500,
    framesPerSecond: 20,
    speed: 0.8,
    droppedFrames: 0,
    duplicatedFrames: 0,
  }
  const status = statusOf('a', { observed, reading })
  const freshness = { nowMs: atMs, isLoaded: true, brokenSinceMs: null }
  const view = viewOfEncoder({ isEnabled: true, isConfigured: true, status, freshness })
  expect(evidenceOf(view, status)).toBe('speed 0.80')
  const dropping = { ...status, reading: { ...reading, droppedFrames: 1204 } }
  expect(evidenceOf(view, dropping)).toBe('speed 0.80, 1,204 frames dropped')
  expect(fullStateText(view, dropping)).toMatch(
    /^Running, slower than real time, since .* UTC\. Measured: speed 0\.80, 1,204 frames dropped$/,
  )
})

test('DASH-14 uptime is the text after the word, or nothing', () => {
  const reply = (results: string) => ({ status: true, results, state: 'running' as const })
  expect(uptimeOfReply(reply('encoder0 RUNNING pid 7, uptime 1 day, 1:01:02'))).toBe(
    '1 day, 1:01:02',
  )
  expect(uptimeOfReply(reply('encoder0 STOPPED'))).toBe('')
})
