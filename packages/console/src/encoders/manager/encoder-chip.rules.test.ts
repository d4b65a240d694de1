import type { HostFaultKind } from '@trunkline/contract/fleet/fleet.schema'
import { expect, test } from 'vitest'
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import {
  asRunSays,
  chipOf,
  explanationOf,
  runStateOf,
  type ChipInput,
} from './encoder-chip.rules.ts'
import { hostOf } from '../../test/place.samples.ts'

const NOW_MS = 1_000_000
const FRESH = { nowMs: NOW_MS, isLoaded: true, brokenSinceMs: null }
const WELL: ChipInput = {
  isEnabled: true,
  isConfigured: true,
  host: hostOf('a'),
  answered: null,
  freshness: FRESH,
}

const wordOf = (change: Partial<ChipInput>) => chipOf({ ...WELL, ...change }).word

test('STATE-01 ENC-06 to ENC-10 the chip: disabled, then not configured, then the check', () => {
  const silent = hostOf('a', { online: false })
  expect(wordOf({ isEnabled: false, isConfigured: false, host: silent })).toBe('Disabled')
  expect(wordOf({ isConfigured: false, host: silent })).toBe('Not Configured')
  expect(wordOf({})).toBe('Online')
  expect(wordOf({ host: silent })).toBe('Offline')
  expect(wordOf({ answered: true, host: silent })).toBe('Online')
  expect(wordOf({ answered: false })).toBe('Offline')
})

test('ENC-06 a missing isEnabled counts as enabled', () => {
  expect(wordOf({ isEnabled: undefined })).toBe('Online')
})

test('no state is shown for a host that has not answered, or not for long', () => {
  expect(chipOf({ ...WELL, host: null })).toMatchObject({ word: 'Offline', family: 'blind' })
  const early = { ...FRESH, isLoaded: false }
  expect(chipOf({ ...WELL, host: null, freshness: early }).word).toBe('Reading')
  const stale = { ...FRESH, brokenSinceMs: NOW_MS - 60_000 }
  expect(chipOf({ ...WELL, freshness: stale })).toMatchObject({ word: 'Unknown', cause: 'stale' })
  expect(chipOf({ ...WELL, freshness: stale, answered: true }).word).toBe('Online')
})

const run = (word: string, cause = ''): StateView => ({
  word,
  cause,
  family: 'off',
  shape: 'square',
  sinceMs: null,
})

test('the cause of an unreachable host is shown to roles that may know it', () => {
  const causeOf = (fault: HostFaultKind | null) => {
    const { family, cause } = chipOf({ ...WELL, host: hostOf('a', { online: false, fault }) })
    return `${family} ${cause}`
  }
  expect([
    causeOf(null),
    causeOf('timeout'),
    causeOf('wrong-key'),
    causeOf('not-an-agent'),
    causeOf('not-connected'),
  ]).toEqual([
    'blind host unreachable',
    'blind host unreachable',
    'bad wrong key',
    'bad no host agent',
    'blind host not connected',
  ])
})

test('a host that was not heard of yet is not called unreachable beside lists that say so', () => {
  const offline = chipOf({ ...WELL, host: hostOf('a', { online: false, fault: null }) })
  const notHeard: StateView = {
    ...run('Offline', 'host not heard of yet'),
    shape: 'diamond-question',
  }
  expect(asRunSays(offline, notHeard)).toMatchObject({
    family: 'blind',
    shape: 'diamond-question',
    cause: 'host not heard of yet',
  })
  expect(asRunSays(offline, run('Offline', 'host unreachable'))).toBe(offline)
  const wrongKey = chipOf({ ...WELL, host: hostOf('a', { online: false, fault: 'wrong-key' }) })
  expect(asRunSays(wrongKey, notHeard)).toBe(wrongKey)
})

test('Q56 the run state is shown only beside an Online chip, and never contradicts it', () => {
  const online = chipOf(WELL)
  expect(runStateOf(online, run('Stopped'))?.word).toBe('Stopped')
  expect(runStateOf(online, run('Offline', 'not installed'))).toMatchObject({
    word: 'Not installed',
    cause: '',
  })
  expect(runStateOf(chipOf({ ...WELL, isEnabled: false }), run('Disabled'))).toBeNull()
})

test('Q56 the tooltip explains both states', () => {
  const online = chipOf(WELL)
  expect(explanationOf(online, run('Stopped', 'should run'), null, '')).toBe(
    'Online: its host answers. Stopped, should run: what the encoder does there.',
  )
  expect(explanationOf(online, run('Stopped', 'should run'), null, 'no such device')).toBe(
    'Online: its host answers. Stopped, should run: what the encoder does there. Last line: no such device',
  )
  const heardAtMs = Date.UTC(2026, 10, 20, 14, 1, 29)
  const silent = hostOf('a', { online: false, heardAtMs, cause: 'It refuses the connection.' })
  expect(explanationOf(chipOf({ ...WELL, host: silent }), null, silent, '')).toBe(
    'Offline: its host does not answer, so it is not known whether the encoder is running. It refuses the connection. Last heard at 14:01:29 UTC.',
  )
  expect(explanationOf(chipOf({ ...WELL, isConfigured: false }), null, null, '')).toBe(
    'This encoder is not yet configured.',
  )
  expect(explanationOf(chipOf({ ...WELL, isEnabled: false }), null, null, '')).toMatch(
    /^Disabled: /,
  )
})
