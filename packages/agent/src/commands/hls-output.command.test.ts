/** Real segments of a real ffmpeg, cut faster than they would play. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hlsOutput } from './hls-output.command.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segments-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Durations of all segments but the last, which ends with the stream; seconds. */
function segmentsOf(keyFrameEvery: number, segmentMs: number): number[] {
  const read = '-nostdin -loglevel error -f lavfi -i testsrc2=size=64x64:rate=25:duration=58'
  const made = `-c:v libx264 -preset ultrafast -bf 0 -g ${keyFrameEvery} -sc_threshold 0`
  const file = join(folder, 'feed.ts')
  execFileSync('ffmpeg', [...read.split(' '), ...made.split(' '), file])
  const output = hlsOutput(folder, { segmentMs, playlistSegments: 60, rungs: [] })
  execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', file, ...output])
  const text = readFileSync(join(folder, 'v0.m3u8'), 'utf8')
  return [...text.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1])).slice(0, -1)
}

test.each([
  [24, 1000, 0.96],
  [24, 2000, 1.92],
  [48, 2000, 1.92],
])('CHAN-37 a key frame every %i pictures, %i ms asked: none is longer', (every, askedMs, most) => {
  const segmentsS = segmentsOf(every, askedMs)
  expect(segmentsS.length).toBeGreaterThan(25)
  expect(Math.max(...segmentsS)).toBeCloseTo(most)
})
