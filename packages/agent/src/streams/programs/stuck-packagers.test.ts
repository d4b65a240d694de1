import { HOUR_MS } from '@trunkline/contract/durations'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import { expect, test } from 'vitest'
import { isStuck, StuckPackagers, type PackagerLook } from './stuck-packagers.ts'

const NOW = 1_000_000

test.each([
  ['data for long and no segment at all', 20_000, 20_000, null, null, true],
  ['data for long and only old segments', 60_000, 60_000, 20_000, 20_000, true],
  ['a packager that has just begun', 5000, 60_000, 60_000, 60_000, false],
  ['data that have just come back', 60_000, 5000, 60_000, 60_000, false],
  ['segments as they should come', 60_000, 60_000, 500, 2000, false],
  ['a long segment under way', 60_000, 60_000, 500, 20_000, false],
  ['written on and on and never finished', 70_000, 70_000, 500, null, true],
  ['no packager', null, 60_000, 60_000, 60_000, false],
  ['no data', 60_000, null, 60_000, 60_000, false],
])('stuck or not: %s', (_what, packager, receiving, advanced, newest, stuck) => {
  const ago = (ms: number | null) => (ms === null ? null : NOW - ms)
  const facts = {
    packagerStartedAtMs: ago(packager),
    receivingSinceMs: ago(receiving),
    advancedAtMs: ago(advanced),
    newestAtMs: ago(newest),
  }
  expect(isStuck(facts, NOW)).toBe(stuck)
})

/** Looks every three seconds, as the watch does; `lookAt` gets the seconds that have passed. */
function stuckAfter(seconds: number, lookAt: (atS: number) => PackagerLook): number[] {
  const packagers = new StuckPackagers()
  const stuck: number[] = []
  for (let atS = 0; atS <= seconds; atS += 3) {
    packagers.begin(atS * 1000)
    if (packagers.isStuck('one', lookAt(atS))) stuck.push(atS)
  }
  return stuck
}

function encode(atMs: number, framesPerSecond: number): Reading {
  const rest = { bitrateKbps: 1000, speed: 0, droppedFrames: 0, duplicatedFrames: 0 }
  return { kind: 'encode', atMs, framesPerSecond, ...rest }
}

const NO_LOOK = { ingest: null, packager: null, packagerStartedAtMs: 0, newestAtMs: null }

test.each([
  ['ahead', HOUR_MS],
  ['back', -HOUR_MS],
])('CHAN-32 a clock that is set an hour %s restarts no packager', (_what, stepMs) => {
  const clock = (atS: number) => NOW + atS * 1000 + (atS > 30 ? stepMs : 0)
  const works = (atS: number) => ({
    ...NO_LOOK,
    packagerStartedAtMs: NOW,
    packager: encode(clock(atS), 25),
    // The first look after the step comes before the first segment after it.
    newestAtMs: clock(atS === 33 ? 30 : atS),
  })
  expect(stuckAfter(120, works)).toEqual([])
  // Its input died before the clock was set: nothing arrives, and nothing is stuck.
  const dead = { ...NO_LOOK, packager: encode(NOW, 25), newestAtMs: NOW }
  expect(stuckAfter(300, () => dead)).toEqual([])
})

test('CHAN-32 data without a picture restarts the packager, whatever was before', () => {
  const lost = (atS: number) => ({
    ...NO_LOOK,
    packager: encode(NOW + atS * 1000, atS < 30 ? 25 : 0),
    newestAtMs: NOW + Math.min(atS, 30) * 1000,
  })
  const [first = 0] = stuckAfter(90, lost)
  expect(first).toBe(48)
})
