import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { expect, test } from 'vitest'
import { countedSince, markOf, withReading, type LinkSample } from './history.rules.ts'

const NONE = { packets: 0, lost: 0, resent: 0, dropped: 0 }
const PLACE = { programId: 'input-a', stepS: 10, atS: 100 }

function readingOf(parts: Partial<LinkReading> = {}): LinkReading {
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs: 1_000_000,
    bitrateKbps: 4500,
    rttMs: 30,
    packets: 100,
    lostPackets: 10,
    retransmittedPackets: 9,
    droppedPackets: 1,
    ...parts,
  }
}

const first = markOf(readingOf())
const later = (parts: Partial<LinkReading>) => markOf(readingOf({ atMs: 1_001_000, ...parts }))

test('counts are differences to the previous reading', () => {
  const now = later({ packets: 150, lostPackets: 12, retransmittedPackets: 9, droppedPackets: 3 })
  expect(countedSince(first, now, 900_000, 0)).toEqual({
    packets: 50,
    lost: 2,
    resent: 0,
    dropped: 2,
  })
})

test('a restarted program counts from zero, even if its count is higher than before', () => {
  const whole = { packets: 140, lost: 10, resent: 9, dropped: 1 }
  expect(countedSince(first, later({ packets: 140 }), 1_000_500, 0)).toEqual(whole)
  expect(countedSince(first, later({ packets: 40 }), null, 0)).toEqual({ ...whole, packets: 40 })
})

test('counts from before the first reading belong to no interval', () => {
  expect(countedSince(null, first, 900_000, 950_000)).toEqual(NONE)
  expect(countedSince(null, first, null, 950_000)).toEqual(NONE)
  expect(countedSince(null, first, 960_000, 950_000)).toMatchObject({ packets: 100, dropped: 1 })
})

test('counts of a silence of minutes belong to no interval either', () => {
  const after = (silenceMs: number) => later({ atMs: 1_000_000 + silenceMs, packets: 999_999 })
  expect(countedSince(first, after(120_001), 900_000, 0)).toEqual(NONE)
  expect(countedSince(first, after(119_000), 900_000, 0).packets).toBe(999_899)
})

test('a lower loss count is not negative', () => {
  expect(countedSince(first, later({ packets: 101, lostPackets: 8 }), null, 0)).toEqual({
    ...NONE,
    packets: 1,
  })
})

test('a step keeps the lowest and the highest reading, and the highest round trip', () => {
  const readings = [
    readingOf({ bitrateKbps: 4500.4, rttMs: null }),
    readingOf({ bitrateKbps: 0, rttMs: 12 }),
    readingOf({ bitrateKbps: 9000, rttMs: 8 }),
  ]
  let step: LinkSample | null = null
  for (const reading of readings)
    step = withReading(step, PLACE, reading, { ...NONE, packets: 5, lost: 1 })
  expect(step).toEqual({
    ...PLACE,
    ...NONE,
    readings: 3,
    bitrateSumKbps: 13_500,
    bitrateMinKbps: 0,
    bitrateMaxKbps: 9000,
    rttMaxMs: 12,
    packets: 15,
    lost: 3,
  })
})

test('very large numbers, and a sum of six, fit the columns', () => {
  const wild = readingOf({ bitrateKbps: 1e300, rttMs: -5 })
  const step = withReading(null, PLACE, wild, { ...NONE, packets: 1e300 })
  const next = withReading(step, PLACE, wild, { ...NONE, packets: 1e300 })
  for (const value of [next.bitrateSumKbps, next.bitrateMaxKbps, next.packets]) {
    expect(6 * value).toBeLessThan(2 ** 31)
  }
  expect(next.rttMaxMs).toBe(0)
})
