import type { ContributionStatusReply, ProgramState } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { inputOf, linkReadingOf, outputOf } from '../test/link.samples.ts'
import { INERT } from './contribution.messages.ts'
import {
  countsBetween,
  inertReason,
  linkOfInput,
  linkOfOutput,
  lostPerMinute,
  offersStop,
  savedPercent,
  statusFromReply,
  withReading,
} from './link.rules.ts'

const link = linkOfInput(inputOf('a'))

test.each<[ProgramState, boolean]>([
  ['running', true],
  ['starting', true],
  ['stopping', true],
  ['backoff', true],
  ['stopped', false],
  ['exited', false],
  ['fatal', false],
  ['absent', false],
  ['unreachable', false],
  ['unknown', false],
])('CON-IN-23 %s offers Stop and Restart: %s', (state, isUp) => {
  expect(offersStop(state)).toBe(isUp)
  expect(inertReason('restart', link, state)).toBe(isUp ? null : INERT.notRunning)
})

test.each<ProgramState>(['stopped', 'exited', 'fatal', 'absent', 'unreachable', 'unknown'])(
  'Q136 Start works for %s',
  (state) => {
    expect(inertReason('start', link, state)).toBeNull()
  },
)

test('Q136 nothing works on what is disabled, Local or not read yet', () => {
  expect(inertReason('start', { ...link, isEnabled: false }, 'stopped')).toBe(INERT.disabled)
  expect(inertReason('start', { ...link, type: 'Local' }, null)).toBe(INERT.local)
  expect(inertReason('start', link, null)).toBe(INERT.notRead)
})

test('an output runs on its input, an input knows what hangs behind it', () => {
  expect(linkOfOutput(outputOf('o', { contributionId: 'i' }))).toMatchObject({
    kind: 'output',
    inputId: 'i',
    outputs: 0,
  })
  expect(linkOfInput(inputOf('i', { outputIds: ['a', 'b'] }))).toMatchObject({ outputs: 2 })
})

const running: ContributionStatusReply = {
  status: true,
  results: 'a RUNNING pid 1, uptime 0:12:34',
  state: 'running',
}

test('a polled answer is a status that proves the process alone', () => {
  expect(statusFromReply(link, running, 5)).toMatchObject({
    kind: 'input',
    state: 'running',
    wanted: 'running',
    peer: '',
    reading: null,
  })
  expect(statusFromReply(link, null, 5).state, 'CON-IN-18').toBe('unknown')
})

test('what was saved by resend, and what was lost for good', () => {
  const first = linkReadingOf({ atMs: 0, packets: 1000, lostPackets: 10, droppedPackets: 1 })
  const last = linkReadingOf({ atMs: 30_000, packets: 1970, lostPackets: 70, droppedPackets: 31 })
  const counts = countsBetween(first, last)
  expect(savedPercent(counts)).toBeCloseTo(3)
  expect(lostPerMinute(counts)).toBe(60)
  expect(lostPerMinute({ ...counts, spanMs: 1000 }), 'too short to tell').toBeNull()
  expect(savedPercent({ packets: 0, lost: 0, dropped: 0 })).toBeNull()
})

test('the readings of the last minute are kept; a new process begins anew', () => {
  const at = (atMs: number, packets: number) => linkReadingOf({ atMs, packets })
  let kept = withReading([], at(0, 100))
  kept = withReading(kept, at(30_000, 200))
  expect(withReading(kept, at(30_000, 200)), 'the same reading').toBe(kept)
  kept = withReading(kept, at(70_000, 300))
  expect(kept.map((one) => one.atMs)).toEqual([30_000, 70_000])
  expect(withReading(kept, at(72_000, 5)).map((one) => one.packets)).toEqual([5])
})
