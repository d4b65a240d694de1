import { expect, test } from 'vitest'
import {
  carriesToken,
  frameTimeoutMs,
  isBehindLive,
  mostBehindS,
  playerPhase,
  settledBehindS,
  sourcesFor,
  startBehindS,
  withPlaybackToken,
} from './player.rules.ts'

const relayed = '/api/channel/c1/hls/index.m3u8'

test.each([
  ['another scheme', 'http://198.51.100.4:8081/a/index.m3u8', 'https://console.example/'],
  ['loopback', 'http://127.0.0.1:8081/a/index.m3u8', 'http://192.0.2.9:8080/'],
  ['loopback by name', 'http://localhost:8081/a/index.m3u8', 'http://localhost:8080/'],
  ['no address', '', 'http://192.0.2.9:8080/'],
])('CHAN-32 a page that cannot reach the server is relayed: %s', (_why, direct, page) => {
  expect(sourcesFor({ direct, relayed }, new URL(page))).toEqual([new URL(relayed, page).href])
})

test('CHAN-32 the address on the server comes first where the page may reach it', () => {
  const page = new URL('http://192.0.2.9:8080/dashboard/channel')
  const direct = 'http://198.51.100.4:8081/a/index.m3u8'
  expect(sourcesFor({ direct, relayed }, page)).toEqual([
    direct,
    'http://192.0.2.9:8080/api/channel/c1/hls/index.m3u8',
  ])
})

test('the token goes to our own API only', () => {
  const page = new URL('http://192.0.2.9:8080/dashboard/channel')
  expect(carriesToken('http://192.0.2.9:8080/api/channel/c1/hls/a.ts', page)).toBe(true)
  expect(carriesToken('http://192.0.2.9:8081/api/channel/c1/hls/a.ts', page)).toBe(false)
  expect(carriesToken('http://198.51.100.4:8081/a/index.m3u8', page)).toBe(false)
})

test('the time to a rebuild grows while no frame came, up to 20 s', () => {
  expect([0, 1, 2, 3, 9].map((builds) => frameTimeoutMs(builds))).toEqual([
    5000, 5000, 10_000, 15_000, 20_000,
  ])
})

test('the state shown: a moving picture before a failed read before a frozen picture', () => {
  const failure = { kind: 'playlist', httpStatus: 404 } as const
  const facts = { isWanted: true, lastFrameAtMs: 1000, failure: null }
  expect(playerPhase({ ...facts, failure }, 2900)).toEqual({ phase: 'playing' })
  expect(playerPhase({ ...facts, failure }, 3000)).toEqual({ phase: 'missing', failure })
  expect(playerPhase(facts, 3000)).toEqual({ phase: 'frozen', sinceMs: 1000 })
  expect(playerPhase({ ...facts, lastFrameAtMs: null }, 3000)).toEqual({ phase: 'loading' })
  expect(playerPhase({ ...facts, isWanted: false }, 1001)).toEqual({ phase: 'paused' })
})

test('one segment that spans an outage does not send a new player back to before it', () => {
  expect(startBehindS([1.92, 1.92, 1.92, 8.64, 0.96, 0.96])).toBeCloseTo(4.8)
  expect(startBehindS([5, 5, 5])).toBe(12.5)
  expect(startBehindS([])).toBe(5)
})

test('segments of a second are played closer to the newest', () => {
  expect(startBehindS([1, 1, 1])).toBe(2)
  expect(startBehindS([1.2, 1.2])).toBeCloseTo(2.4)
})

test('a player jumps forward once it is two segments further behind than at its start', () => {
  expect(mostBehindS([1, 1, 1])).toBe(4)
  expect(mostBehindS([2, 2, 2])).toBe(9)
})

test('a player comes back to half a segment behind where it began', () => {
  expect(settledBehindS([1, 1, 1])).toBe(2.5)
  expect(settledBehindS([2, 2, 2])).toBe(6)
})

test('the limit for behind live is more than a player drifts by itself', () => {
  const playlist = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }
  expect(isBehindLive(9, playlist)).toBe(false)
  expect(isBehindLive(9.1, playlist)).toBe(true)
  expect(isBehindLive(null, playlist)).toBe(false)
  expect(isBehindLive(60, null)).toBe(false)
})

const LINK = 'http://198.51.100.4:8081/live/a/index.m3u8?token=new'

test.each([
  ['the playlist', 'live/a/index.m3u8', 'live/a/index.m3u8?token=new'],
  ['a segment named with an older token', 'live/a/s1.ts?token=old', 'live/a/s1.ts?token=new'],
  ['another stream', 'live/ab/s1.ts?token=old', 'live/ab/s1.ts?token=old'],
])('the newest playback token goes to files of its stream: %s', (_what, asked, address) => {
  const origin = 'http://198.51.100.4:8081/'
  expect(withPlaybackToken(origin + asked, LINK)).toBe(origin + address)
})

test('a playback token goes to no other server, and without one nothing is changed', () => {
  const other = 'http://198.51.100.5:8081/live/a/s1.ts'
  expect(withPlaybackToken(other, LINK)).toBe(other)
  const file = 'http://198.51.100.4:8081/live/a/s1.ts?token=x'
  expect(withPlaybackToken(file, LINK.replace(/\?.*/, ''))).toBe(file)
  expect(withPlaybackToken(file, '')).toBe(file)
})

test('a renewed link is the same source', () => {
  const page = new URL('http://192.0.2.9:8080/')
  expect(sourcesFor({ direct: LINK, relayed }, page)[0]).toBe(LINK.replace(/\?.*/, ''))
})
