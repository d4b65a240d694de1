import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { expect, test } from 'vitest'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import type { PlayerPhase } from '../channels/player/player.rules.ts'
import { streamOf } from '../test/channel.samples.ts'
import { hostOf } from '../test/place.samples.ts'
import { viewOfChannelTile, viewOfEncoderTile, wantsPlayer } from './tile.rules.ts'

const NOW_MS = Date.parse('2026-01-02T14:00:00Z')
const FRESH = { nowMs: NOW_MS, isLoaded: true, brokenSinceMs: null }
const WELL = streamOf('a')
const OFF = streamOf('a', { disabled: true })
const DEAD = streamOf('a', { stats: { alive: false, last_dts_at: NOW_MS - 42_000 } })
const PLAYING: PlayerPhase = { phase: 'playing' }
const FROZEN: PlayerPhase = { phase: 'frozen', sinceMs: NOW_MS - 7000 }
const MISSING: PlayerPhase = {
  phase: 'missing',
  failure: { kind: 'playlist', httpStatus: 0 },
}

function viewOf(parts: Partial<Parameters<typeof viewOfChannelTile>[0]>): StateView {
  return viewOfChannelTile({
    reading: WELL,
    freshness: FRESH,
    host: null,
    phase: PLAYING,
    clockOffsetMs: 0,
    ...parts,
  })
}

test('a channel that is alive and whose picture moves is OK', () => {
  expect(viewOf({})).toMatchObject({ family: 'ok', word: 'Online', cause: '' })
})

test('a frozen picture is shown by the API’s clock although the server says alive', () => {
  expect(viewOf({ phase: FROZEN, clockOffsetMs: 1000 })).toEqual({
    family: 'warn',
    shape: 'triangle',
    word: 'Online',
    cause: 'frozen picture',
    sinceMs: NOW_MS - 6000,
  })
  expect(viewOf({ phase: MISSING })).toMatchObject({
    family: 'warn',
    cause: 'The playlist could not be reached',
  })
})

test('no media: since its last picture; a clock that is ahead is ignored', () => {
  expect(viewOf({ reading: DEAD })).toMatchObject({
    family: 'bad',
    word: 'Offline',
    sinceMs: NOW_MS - 42_000,
  })
  const ahead = streamOf('a', { stats: { alive: false, last_dts_at: NOW_MS + 60_000 } })
  expect(viewOf({ reading: ahead }).sinceMs).toBeNull()
})

test('CHAN-11 a silent server: Offline since it was last heard, whatever the picture does', () => {
  const host = hostOf('stream-01', { online: false, sinceMs: NOW_MS - 68_000 })
  expect(viewOf({ reading: 'silent', host })).toMatchObject({
    family: 'blind',
    word: 'Offline',
    cause: 'server silent',
    sinceMs: NOW_MS - 68_000,
  })
})

test('after updates have stopped every state is shown as uncertain', () => {
  const freshness = { ...FRESH, brokenSinceMs: NOW_MS - 60_000 }
  expect(viewOf({ freshness })).toMatchObject({
    family: 'blind',
    word: 'Unknown',
    cause: 'stale',
    sinceMs: NOW_MS - 60_000,
  })
})

test.each<[string, StreamReading, PlayerPhase | null, boolean]>([
  ['alive', WELL, null, true],
  ['alive, its picture gone for now', WELL, MISSING, true],
  ['switched off', OFF, PLAYING, false],
  ['no media, and no player yet', DEAD, null, false],
  ['no media for a moment: its player goes on by itself', DEAD, FROZEN, true],
  ['no media and no playlist', DEAD, MISSING, false],
  ['the server silent, no player yet', 'silent', null, false],
  ['the server’s API silent, the picture moves', 'silent', PLAYING, true],
  ['the server silent, and so the picture', 'silent', FROZEN, false],
  ['no such stream', 'gone', PLAYING, false],
  ['not read yet', 'unread', null, false],
])('a player is held: %s', (_, reading, phase, isHeld) => {
  expect(wantsPlayer(reading, phase)).toBe(isHeld)
})

test('a running encoder with an old picture is not OK', () => {
  const view = { family: 'ok', shape: 'disc', word: 'Running', cause: '', sinceMs: null } as const
  const picture = { jpegBase64: '', takenAtMs: NOW_MS - 30_000 }
  expect(viewOfEncoderTile(view, { kind: 'live', picture, note: '' })).toBe(view)
  expect(viewOfEncoderTile(view, { kind: 'old', picture, note: '' })).toMatchObject({
    family: 'warn',
    cause: 'no new picture',
    sinceMs: NOW_MS - 30_000,
  })
})
