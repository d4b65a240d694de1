import { execFileSync } from 'node:child_process'
import type { TransportContent } from '@trunkline/contract/fleet/transport.schema'
import { expect, test } from 'vitest'
import { BusContents } from './bus-contents.ts'

const TRACKS = { hasPicture: true, hasSound: false }
const DURATION_MS = 2000
const EVERY_MS = 5000

/** Two seconds of MPEG-2, a key frame each second. */
const BLACK = execFileSync(
  'ffmpeg',
  '-v error -f lavfi -i color=black:s=64x36:r=10 -t 2 -c:v mpeg2video -g 10 -f mpegts pipe:1'.split(
    ' ',
  ),
)
/** As a scrambled stream, or one whose key frames are lost. */
const UNREADABLE = new Uint8Array(188 * 20).fill(0xff)

function openContents() {
  let nowMs = 1_700_000_000_000
  const found: TransportContent[] = []
  const contents = new BusContents({
    clock: () => nowMs,
    onContent: (_key, content) => found.push(content),
    pace: { sampledMs: 0, continuousMs: 0, restMs: 0 },
  })
  const look = async (bytes: Uint8Array) => {
    nowMs += EVERY_MS
    contents.look('bus', 'sampled', { bytes, tracks: TRACKS, durationMs: DURATION_MS })
    await contents.idle()
  }
  return { contents, found, look, [Symbol.asyncDispose]: () => contents[Symbol.asyncDispose]() }
}

test('a picture that can be decoded no longer is unknown after three looks, not black', async () => {
  await using seen = openContents()
  await seen.look(BLACK)
  await seen.look(BLACK)
  expect(seen.found.at(-1)?.picture?.kind).toBe('black')
  expect(seen.contents.isSuspect('bus')).toBe(true)
  const looks = seen.found.length
  await seen.look(UNREADABLE)
  await seen.look(UNREADABLE)
  expect(seen.found.length).toBe(looks)
  await seen.look(UNREADABLE)
  expect(seen.found.at(-1)).toMatchObject({ picture: null, sound: null, peakDbfs: null })
  // It need not be sampled more often than others from then on.
  expect(seen.contents.isSuspect('bus')).toBe(false)
})
