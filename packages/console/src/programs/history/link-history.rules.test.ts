import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { expect, test } from 'vitest'
import { mergedSamples } from './link-history.rules.ts'

function pointAt(atMs: number, min: number, max: number): LinkPoint {
  const counts = { packets: 0, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  return { atMs, bitrateKbps: { min, avg: (min + max) / 2, max }, rttMs: null, ...counts }
}

test('a stored interval fills two slots, with its lowest and its highest reading', () => {
  expect(mergedSamples([pointAt(10_000, 100, 900)], [])).toEqual([
    { atMs: 10_000, kbps: 100 },
    { atMs: 15_000, kbps: 900 },
  ])
})

test('readings of this browser take precedence, and all are in order of time', () => {
  const seen = [
    { atMs: 15_000, kbps: 7 },
    { atMs: 30_000, kbps: 8 },
  ]
  const kept = [pointAt(10_000, 1, 2), pointAt(20_000, 3, 4)]
  expect(mergedSamples(kept, seen)).toEqual([
    { atMs: 10_000, kbps: 1 },
    { atMs: 15_000, kbps: 7 },
    { atMs: 20_000, kbps: 3 },
    { atMs: 25_000, kbps: 4 },
    { atMs: 30_000, kbps: 8 },
  ])
})

test('without stored history the array of readings stays the same', () => {
  const seen = [{ atMs: 15_000, kbps: 7 }]
  expect(mergedSamples([], seen)).toBe(seen)
})
