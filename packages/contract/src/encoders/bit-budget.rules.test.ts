import { expect, test } from 'vitest'
import { audioKbpsFor, bitBudget, muxRateBpsFor, videoKbpsFor } from './bit-budget.rules.ts'

test('CFG-24 a mux of 4500000 leaves 3668 kbit/s for video beside 256 of audio', () => {
  expect(videoKbpsFor(4_500_000, 256)).toBe(3668)
})

test('CFG-25 a mux of 4500000 leaves 256 kbit/s for audio beside 3668 of video', () => {
  expect(audioKbpsFor(4_500_000, 3668)).toBe(256)
})

test('CFG-26 4000 and 256 kbit/s need a mux of 4881121', () => {
  expect(muxRateBpsFor(4000, 256)).toBe(4_881_121)
})

test.each([
  ['video', videoKbpsFor(200_000, 384)],
  ['audio', audioKbpsFor(4_500_000, 4000)],
])('Q77 a calculated %s bitrate is never below 0', (_, result) => {
  expect(result).toBe(0)
})

test.each([
  ['1080', 4_500_000, 4000, 256, 4_881_121, 372],
  ['pal', 1_850_000, 1500, 128, 1_867_121, 17],
  ['720p', 4_500_000, 3500, 192, 4_234_281, 0],
] as const)('Q78 the %s preset against the formula', (_, mux, video, audio, needed, excess) => {
  expect(bitBudget(mux, video, audio)).toEqual({ neededBps: needed, excessKbps: excess })
})
