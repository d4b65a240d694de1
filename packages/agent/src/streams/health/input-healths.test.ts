import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Context } from '../../context.ts'
import { InputHealthTrackers } from './input-healths.ts'
import type { StoredStream } from '../definition/stream.schema.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const NOW = Date.UTC(2026, 10, 29, 12)
const [FIRST, SECOND] = ['udp://127.0.0.1:5001', 'udp://127.0.0.1:5002']

const STREAM: StoredStream = {
  name: 'pair',
  title: 'Pair',
  disabled: false,
  inputs: [FIRST, SECOND].map((url, at) => ({
    url,
    priority: null,
    bus: { ip: '239.1.2.3', port: 5010 + at },
  })),
  pushes: [],
  currentUrl: FIRST,
  selectedUrl: '',
  template: null,
  segmentDurationMs: 2000,
  segmentCount: 6,
  sourceTimeoutS: null,
}

/** The health of a stream's inputs, looked at every half second while packagers work or report nothing new. */
function openTrackers() {
  let atMs = 0
  const reading = (): Reading => ({
    kind: 'encode',
    atMs,
    bitrateKbps: 1000,
    framesPerSecond: 25,
    speed: 1,
    droppedFrames: 0,
    duplicatedFrames: 0,
  })
  const board = { find: () => ({ reading: reading() }) }
  const trackers = new InputHealthTrackers({ board, clock: () => NOW } as unknown as Context)
  return {
    trackers,
    look: (seconds: number, goesOn = true) => {
      for (let count = 0; count < seconds * 2; count++) {
        vi.advanceTimersByTime(500)
        if (goesOn) atMs += 500
        trackers.look([STREAM])
      }
    },
  }
}

test('CHAN-37 a start lasts while its programs are brought up, and ten seconds more without a picture', () => {
  const { trackers, look } = openTrackers()
  trackers.begin('pair')
  look(60, false)
  expect(trackers.isStarting('pair')).toBe(true)
  trackers.begun('pair')
  look(9, false)
  expect(trackers.isStarting('pair')).toBe(true)
  look(1, false)
  expect(trackers.isStarting('pair')).toBe(false)
})

test('CHAN-37 a start ends with the first picture of the shown input: if that fails then, the stream switches', () => {
  const { trackers, look } = openTrackers()
  trackers.begin('pair')
  trackers.begun('pair')
  look(1)
  expect(trackers.isStarting('pair')).toBe(false)
})

test('CHAN-11 a start by a command says since when, until the shown input is well or ten seconds have passed', () => {
  const { trackers, look } = openTrackers()
  trackers.begin('pair')
  expect(trackers.startingSinceMs('pair')).toBeNull()
  for (const hasPicture of [true, false]) {
    trackers.beginAnew('pair')
    trackers.begun('pair')
    look(0.5, false)
    expect(trackers.startingSinceMs('pair')).toBe(NOW)
    look(hasPicture ? 1 : 10, hasPicture)
    expect(trackers.startingSinceMs('pair')).toBeNull()
  }
})

test.each([
  ['does not run', null],
  ['was started by a supervisord that was quicker', NOW - 2000],
])('CHAN-11 a stream whose packager %s when the agent starts is starting', (_, startedAtMs) => {
  const { trackers, look } = openTrackers()
  trackers.beginStored('pair', { startedAtMs })
  trackers.begun('pair')
  look(0.5, false)
  expect(trackers.startingSinceMs('pair')).toBe(NOW)
})

test('CHAN-11 a stream that goes on while its agent is restarted does not start', () => {
  const { trackers } = openTrackers()
  trackers.beginStored('pair', { startedAtMs: NOW - 60_000 })
  expect(trackers.startingSinceMs('pair')).toBeNull()
  expect(trackers.isStarting('pair')).toBe(true)
})

test('CHAN-37 reports from before a restart do not end the start', () => {
  const { trackers, look } = openTrackers()
  look(5)
  expect(trackers.health(STREAM, FIRST).isWell).toBe(true)
  trackers.begin('pair')
  look(5)
  expect(trackers.isStarting('pair')).toBe(true)
  trackers.begun('pair')
  look(1, false)
  expect(trackers.health(STREAM, FIRST).isWell).toBe(false)
  expect(trackers.isStarting('pair')).toBe(true)
})
