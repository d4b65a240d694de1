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

/** The stream's pulses, and a look every half second at packagers that work, or report nothing new. */
function openPulses() {
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
  const pulses = new InputHealthTrackers({ board } as unknown as Context)
  return {
    pulses,
    look: (seconds: number, goesOn = true) => {
      for (let count = 0; count < seconds * 2; count++) {
        vi.advanceTimersByTime(500)
        if (goesOn) atMs += 500
        pulses.look([STREAM])
      }
    },
  }
}

test('CHAN-37 a start lasts while its programs are brought up, and ten seconds more without a picture', () => {
  const { pulses, look } = openPulses()
  pulses.begin('pair')
  look(60, false)
  expect(pulses.isStarting('pair')).toBe(true)
  pulses.begun('pair')
  look(9, false)
  expect(pulses.isStarting('pair')).toBe(true)
  look(1, false)
  expect(pulses.isStarting('pair')).toBe(false)
})

test('CHAN-37 a start is over with the first picture of the input on show, so that its death is acted on', () => {
  const { pulses, look } = openPulses()
  pulses.begin('pair')
  pulses.begun('pair')
  look(1)
  expect(pulses.isStarting('pair')).toBe(false)
})

test('CHAN-37 what the programs told before a restart does not end it', () => {
  const { pulses, look } = openPulses()
  look(5)
  expect(pulses.health(STREAM, FIRST).isWell).toBe(true)
  pulses.begin('pair')
  look(5)
  expect(pulses.isStarting('pair')).toBe(true)
  pulses.begun('pair')
  look(1, false)
  expect(pulses.health(STREAM, FIRST).isWell).toBe(false)
  expect(pulses.isStarting('pair')).toBe(true)
})
