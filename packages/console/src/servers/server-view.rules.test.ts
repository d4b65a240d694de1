import type { FailureCode } from '@trunkline/contract/failure.schema'
import type { HostFaultKind, HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import { expect, test } from 'vitest'
import { ApiError, type ApiErrorKind } from '../lib/api-error.ts'
import { familyOfHost } from '@trunkline/contract/fleet/host-family.rules'
import { hostOf } from '../test/place.samples.ts'
import { splitTitles, stateOfServer } from './server-view.rules.ts'

const NOW = Date.UTC(2026, 4, 3, 14, 0, 0)
const LIVE = { nowMs: NOW, isLoaded: true, brokenSinceMs: null }
const known = { serverType: 'acants', host: null, answer: null, freshness: LIVE } as const

function failed(kind: ApiErrorKind, code: FailureCode | null) {
  const parts = { status: 502, field: null, issues: [], current: null, changed: [] }
  return { error: new ApiError({ ...parts, kind, code, sentence: 'The host is silent.' }) }
}

const away = (fault: HostFaultKind, parts: Partial<HostStatus> = {}) =>
  hostOf('a', { online: false, sinceMs: NOW - 5000, fault, cause: 'Correct the key.', ...parts })

test('SRV-02 a host that is linked is Online, since its link stands', () => {
  const { view, sentence } = stateOfServer({ ...known, host: hostOf('a', { sinceMs: 7 }) })
  expect(view).toEqual({ family: 'ok', shape: 'disc', word: 'Online', cause: '', sinceMs: 7 })
  expect(sentence).toBe('')
})

test('shows a host that answers as Online, with a disk that is full, nearly full or unreadable', () => {
  const problem = { kind: 'disk-full', sentence: 'The disk is full.' } as const
  const full = stateOfServer({ ...known, host: hostOf('a', { problem }) })
  expect(full.view).toMatchObject({ word: 'Online', cause: 'disk full', family: 'bad' })
  expect(full.sentence).toBe('The disk is full.')
  const low = { ...problem, kind: 'disk-low' } as const
  const view = stateOfServer({ ...known, host: hostOf('a', { problem: low }) }).view
  expect(view).toMatchObject({ word: 'Online', cause: 'disk nearly full', family: 'warn' })
  const lost = { ...problem, kind: 'disk-unreadable' } as const
  const { view: broken } = stateOfServer({ ...known, host: hostOf('a', { problem: lost }) })
  expect(broken).toMatchObject({ word: 'Online', cause: 'disk cannot be read', family: 'bad' })
})

test('readable passphrases are shown without raising an alarm', () => {
  const problem = { kind: 'command-lines-readable', sentence: 'Mount /proc anew.' } as const
  const host = hostOf('a', { problem })
  const { view, sentence } = stateOfServer({ ...known, host })
  expect(view).toMatchObject({
    word: 'Online',
    cause: 'passphrases readable on host',
    family: 'ok',
    shape: 'disc',
  })
  expect(sentence).toBe('Mount /proc anew.')
  expect(familyOfHost(host, LIVE)).toBe('ok')
})

test.each<[HostFaultKind, string, string]>([
  ['refused', 'no connection', 'diamond-x'],
  ['timeout', 'no answer', 'diamond-x'],
  ['not-connected', 'not connected', 'diamond-x'],
  ['wrong-key', 'wrong key', 'octagon'],
  ['not-an-agent', 'no host agent', 'octagon'],
])('SRV-02 Offline says why in a word: %s', (fault, cause, shape) => {
  const { view } = stateOfServer({ ...known, host: away(fault) })
  expect(view).toMatchObject({ word: 'Offline', cause, shape, sinceMs: NOW - 5000 })
})

test('for a channel server the missing process is a media server', () => {
  const { view } = stateOfServer({ ...known, serverType: 'channel', host: away('not-an-agent') })
  expect(view.cause).toBe('no media server')
})

test('the whole cause, and when the host was last heard', () => {
  const heardAtMs = NOW - 65_000
  expect(stateOfServer({ ...known, host: away('timeout', { heardAtMs }) }).sentence).toBe(
    'Correct the key. It last answered at 2026-05-03 13:58:55 UTC.',
  )
  expect(stateOfServer({ ...known, host: away('timeout', { heardAtMs: null }) }).sentence).toBe(
    'Correct the key. It has not answered since the console server was started.',
  )
})

test('SRV-02 STATE-07 without push the call decides, and a failed one is Offline', () => {
  const state = (answer: { error: unknown }) => stateOfServer({ ...known, answer })
  expect(state({ error: null }).view).toMatchObject({ word: 'Online', sinceMs: null })
  expect(state(failed('refused', 'host_timeout')).view.cause).toBe('no answer')
  expect(state(failed('refused', 'host_unreachable')).view.cause).toBe('no connection')
  expect(state(failed('refused', 'internal'))).toMatchObject({
    view: { word: 'Offline', cause: 'not read' },
    sentence: 'The host is silent.',
  })
  expect(state(failed('no-answer', null)).view.word).toBe('Offline')
})

test('states go stale once updates have stopped; a successful call makes them fresh', () => {
  const freshness = { ...LIVE, brokenSinceMs: NOW - 60_000 }
  const stale = { ...known, host: hostOf('a'), freshness }
  const unknown = { word: 'Unknown', cause: 'stale', sinceMs: NOW - 60_000 }
  expect(stateOfServer(stale).view).toMatchObject(unknown)
  expect(
    stateOfServer({ ...stale, answer: failed('no-answer', null) }).view,
    'the console itself is cut off',
  ).toMatchObject(unknown)
  expect(stateOfServer({ ...stale, answer: { error: null } }).view.word).toBe('Online')
  expect(stateOfServer({ ...stale, answer: failed('refused', 'host_timeout') }).view.word).toBe(
    'Offline',
  )
})

test('no state is shown before anything is known', () => {
  const freshness = { ...LIVE, isLoaded: false }
  expect(stateOfServer({ ...known, freshness }).view).toMatchObject({ word: 'Reading' })
})

test('SRV-03 a cell names two groups and counts the rest', () => {
  expect(splitTitles(['A', 'B'])).toEqual({ shown: ['A', 'B'], rest: [] })
  expect(splitTitles(['A', 'B', 'C', 'D'])).toEqual({ shown: ['A', 'B'], rest: ['C', 'D'] })
})
