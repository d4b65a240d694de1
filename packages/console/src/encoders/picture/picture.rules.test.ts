import { HOUR_MS } from '@trunkline/contract/durations'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { viewOfEncoder } from '@trunkline/contract/fleet/state-view.rules'
import { expect, test } from 'vitest'
import { statusOf } from '../../test/samples.ts'
import { PICTURE_STALE_AFTER_MS, pictureView, type Picture } from './picture.rules.ts'

const NOW_MS = Date.parse('2026-01-02T14:02:37Z')

function shown(status: ProgramStatus | null, picture: Picture | null, isConfigured = true) {
  const freshness = { nowMs: NOW_MS, isLoaded: true, brokenSinceMs: null }
  const view = viewOfEncoder({ isEnabled: true, isConfigured, status, freshness })
  return pictureView({ isConfigured, view, status, picture, nowMs: NOW_MS })
}

function takenAgo(agoMs: number): Picture {
  return { jpegBase64: 'AAAA', takenAtMs: NOW_MS - agoMs }
}

const STARTED = { sinceMs: NOW_MS - HOUR_MS, startedAtMs: NOW_MS - HOUR_MS }
const running = statusOf('a', STARTED)

test('a picture has its age, and turns grey when it is old', () => {
  expect(shown(running, takenAgo(2400))).toMatchObject({ kind: 'live', note: '2 s' })
  expect(shown(running, takenAgo(PICTURE_STALE_AFTER_MS))).toMatchObject({ kind: 'live' })
  expect(shown(running, takenAgo(PICTURE_STALE_AFTER_MS + 1))).toMatchObject({
    kind: 'old',
    note: 'Last picture 14:02:21',
  })
  // The clocks of two machines: a picture of the future is one of now.
  expect(shown(running, takenAgo(-3000))).toMatchObject({ kind: 'live', note: '0 s' })
})

test.each([
  ['stopped', 'running', 'No picture since 13:02:37'],
  ['fatal', 'running', 'No picture since 13:02:37'],
  ['backoff', 'running', 'No picture since 13:02:37'],
  ['exited', 'running', 'No picture since 13:02:37'],
  ['absent', 'running', 'No picture since 13:02:37'],
  ['stopped', 'stopped', 'Not running for 1:00:00'],
] as const)('%s, wanted %s: never a picture, however new', (state, wanted, note) => {
  const status = statusOf('a', { ...STARTED, state, wanted, startedAtMs: null })
  expect(shown(status, takenAgo(0))).toMatchObject({ kind: 'none', note })
})

test('DASH-14 an encoder that never ran shows no age', () => {
  const status = statusOf('a', { state: 'stopped', wanted: 'stopped', sinceMs: null })
  const never = { ...status, startedAtMs: null, reading: null, observed: null }
  expect(shown(never, null)).toMatchObject({ kind: 'none', note: 'Not running' })
})

test('of a silent host the last picture stays, in grey and with its time', () => {
  const status = statusOf('a', { ...STARTED, state: 'unreachable' })
  expect(shown(status, takenAgo(1000))).toMatchObject({
    kind: 'old',
    note: 'Last picture 14:02:36',
  })
  expect(shown(status, null)).toMatchObject({ kind: 'none', note: 'No picture' })
})

test('a picture from before this start is not shown as current', () => {
  const startedAtMs = NOW_MS - 3000
  const status = statusOf('a', { sinceMs: startedAtMs, startedAtMs })
  const waiting = { kind: 'none', shape: 'arc', note: 'Waiting for first picture' }
  expect(shown(status, takenAgo(4000))).toMatchObject(waiting)
  expect(shown(status, takenAgo(2000))).toMatchObject({ kind: 'live' })
  expect(shown(statusOf('a', { ...STARTED, state: 'starting' }), null)).toMatchObject({
    note: 'No picture since 13:02:37',
  })
  const starting = statusOf('a', { state: 'starting', sinceMs: NOW_MS - 1000, startedAtMs: null })
  expect(shown(starting, takenAgo(2000))).toMatchObject(waiting)
})

test('a running encoder without a picture is not waited for without end', () => {
  expect(shown(running, null)).toMatchObject({ kind: 'none', family: 'off', note: 'No picture' })
})

test('not configured: nothing there yet', () => {
  expect(shown(null, null, false)).toEqual({ kind: 'bare', note: 'No picture yet' })
})
