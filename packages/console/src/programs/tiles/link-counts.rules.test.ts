import { expect, test } from 'vitest'
import { linkReadingOf } from '../../test/link.samples.ts'
import {
  countsBetween,
  countsOf,
  savedPackets,
  savedPercent,
  withReading,
} from './link-counts.rules.ts'

test('recovered packets and dropped packets', () => {
  const first = linkReadingOf({ atMs: 0, packets: 1000, lostPackets: 10, droppedPackets: 1 })
  const last = linkReadingOf({ atMs: 30_000, packets: 1970, lostPackets: 70, droppedPackets: 31 })
  const counts = countsBetween(first, last)
  expect(counts).toMatchObject({ packets: 970, lost: 60, dropped: 30 })
  expect(savedPercent(counts)).toBeCloseTo(3)
  expect(savedPercent({ ...counts, packets: 0, lost: 0, dropped: 0 })).toBeNull()
})

test('a sending end shows retransmitted packets, but no loss that it cannot know', () => {
  const sent = linkReadingOf({
    direction: 'send',
    packets: 2000,
    lostPackets: null,
    droppedPackets: null,
    retransmittedPackets: 40,
  })
  const counts = countsOf(sent)
  expect(counts).toEqual({ packets: 2000, lost: null, dropped: null, resent: 40 })
  expect(savedPackets(counts)).toBe(40)
  expect(savedPercent(counts)).toBe(2)
  expect(countsBetween(sent, sent)).toMatchObject({ lost: null, dropped: null })
})

test('the readings of the last minute are kept; a new process begins anew', () => {
  const at = (atMs: number, packets: number) => linkReadingOf({ atMs, packets })
  let kept = withReading([], at(0, 100))
  kept = withReading(kept, at(30_000, 200))
  expect(withReading(kept, at(30_000, 200)), 'the same reading').toBe(kept)
  kept = withReading(kept, at(70_000, 300))
  expect(kept.map((item) => item.atMs)).toEqual([30_000, 70_000])
  expect(withReading(kept, at(72_000, 5)).map((item) => item.packets)).toEqual([5])
})
