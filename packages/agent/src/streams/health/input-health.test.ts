import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import { expect, test } from 'vitest'
import { InputHealthTracker, LONGEST_LOOK_MS, SILENT_MS } from './input-health.ts'

function report(atMs: number, framesPerSecond: number, speed: number): Reading {
  return {
    kind: 'encode',
    atMs,
    bitrateKbps: 1000,
    framesPerSecond,
    speed,
    droppedFrames: 0,
    duplicatedFrames: 0,
  }
}

const LOOK_MS = 250

/** Looks so long at one unchanged reading. */
function stare(tracker: InputHealthTracker, reading: Reading | null, forMs: number): void {
  for (let ms = 0; ms < forMs; ms += LOOK_MS) tracker.look(reading, LOOK_MS, SILENT_MS)
}

function wellTracker(): InputHealthTracker {
  const tracker = new InputHealthTracker()
  tracker.look(null, LOOK_MS, SILENT_MS)
  tracker.look(report(1, 25, 1), LOOK_MS, SILENT_MS)
  return tracker
}

test('CHAN-37 pictures make an input healthy, and so does audio alone; an empty report does not', () => {
  expect(wellTracker().health(SILENT_MS)).toEqual({ isWell: true, wellForMs: LOOK_MS })
  for (const [frames, speed, isWell] of [
    [0, 1, true],
    [25, 0, true],
    [0, 0, false],
  ] as const) {
    const tracker = new InputHealthTracker()
    tracker.look(null, LOOK_MS, SILENT_MS)
    tracker.look(report(1, frames, speed), LOOK_MS, SILENT_MS)
    expect(tracker.health(SILENT_MS).isWell).toBe(isWell)
  }
})

test('CHAN-37 silence for the limit, or a missing packager, makes an input unhealthy', () => {
  const tracker = wellTracker()
  stare(tracker, report(1, 25, 1), SILENT_MS - LOOK_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(true)
  stare(tracker, report(1, 25, 1), LOOK_MS)
  expect(tracker.health(SILENT_MS)).toEqual({ isWell: false, wellForMs: 0 })
  tracker.look(report(2, 25, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS)).toEqual({ isWell: true, wellForMs: LOOK_MS })
  tracker.look(null, LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(false)
})

test('CHAN-37 an input that has lost its pictures is not healthy with audio alone', () => {
  const tracker = wellTracker()
  for (let at = 2; at < 20; at++) tracker.look(report(at, 0, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(false)
  // Its packager was started anew, and has found no picture.
  tracker.look(null, LOOK_MS, SILENT_MS)
  for (let at = 20; at < 24; at++) tracker.look(report(at, 0, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(false)
  tracker.look(report(24, 25, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(true)
})

test('a longer limit of the stream’s own', () => {
  const tracker = new InputHealthTracker()
  tracker.look(null, LOOK_MS, 5000)
  tracker.look(report(1, 25, 1), LOOK_MS, 5000)
  for (let ms = 0; ms < 4500; ms += LOOK_MS) tracker.look(report(1, 25, 1), LOOK_MS, 5000)
  expect(tracker.health(5000).isWell).toBe(true)
})

test('states found at the start of the agent are not reported as changes', () => {
  const tracker = new InputHealthTracker()
  tracker.look(report(1, 25, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(false)
  tracker.look(report(2, 25, 1), LOOK_MS, SILENT_MS)
  expect(tracker.health(SILENT_MS).isWell).toBe(true)
})

test('a late check does not count as silence', () => {
  expect(LONGEST_LOOK_MS).toBeLessThan(SILENT_MS)
})
