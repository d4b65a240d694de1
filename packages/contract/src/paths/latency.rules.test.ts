import { expect, test } from 'vitest'
import {
  appliedLatency,
  endsToSet,
  type LatencyEnds,
  latencyVerdict,
  neededLatencyMs,
} from './latency.rules.ts'

test.each([
  [80, 0.2, 240],
  [80, 2, 320],
  [81, 5, 410],
  [80, 10, 480],
  [80, 30, 480],
  // The least latencies of the table.
  [0.4, 0, 60],
  [0.4, 3, 80],
  [20, 7, 100],
  [12, 9, 120],
  [9000, 9, 30_000],
])('a link with an RTT of %d ms that loses %d %% needs %d ms', (rttMs, lossPercent, neededMs) => {
  expect(neededLatencyMs({ rttMs, lossPercent })).toBe(neededMs)
})

const SRT: LatencyEnds = {
  protocol: 'srt',
  isReceiver: true,
  ownMs: 120,
  otherMs: null,
  negotiatedMs: null,
}
const RIST: LatencyEnds = { ...SRT, protocol: 'rist' }

test.each([
  ['SRT, other end not known', SRT, { coverMs: 120, delayMs: 120 }],
  ['SRT, other end higher', { ...SRT, otherMs: 300 }, { coverMs: 300, delayMs: 300 }],
  ['SRT, other end lower', { ...SRT, otherMs: 80 }, { coverMs: 120, delayMs: 120 }],
  [
    'SRT, negotiated with a foreign peer',
    { ...SRT, negotiatedMs: 500 },
    { coverMs: 500, delayMs: 500 },
  ],
  ['RIST receiver, sender shorter', { ...RIST, otherMs: 80 }, { coverMs: 80, delayMs: 120 }],
  [
    'RIST sender, receiver longer',
    { ...RIST, isReceiver: false, otherMs: 300 },
    { coverMs: 120, delayMs: 300 },
  ],
])('what counts of the latencies of both ends: %s', (_, ends, applied) => {
  expect(appliedLatency(ends)).toEqual(applied)
})

test.each([
  [239, 240, 'low'],
  [240, 240, 'right'],
  [479, 240, 'right'],
  [480, 240, 'high'],
  // Twice as much, and still not worth an interruption.
  [180, 60, 'right'],
  [260, 60, 'high'],
])('a latency of %d ms where %d ms are needed is %s', (ms, neededMs, verdict) => {
  expect(latencyVerdict({ coverMs: ms, delayMs: ms }, neededMs)).toBe(verdict)
})

test.each([
  ['SRT too low', SRT, 240, true, false],
  ['SRT right by the other end', { ...SRT, otherMs: 240 }, 240, false, false],
  ['SRT too high at both ends', { ...SRT, ownMs: 3000, otherMs: 3000 }, 240, true, true],
  ['SRT too high by the other end', { ...SRT, otherMs: 3000 }, 240, false, true],
  ['RIST too low at the sender alone', { ...RIST, ownMs: 240, otherMs: 100 }, 240, false, true],
  ['RIST receiver too high', { ...RIST, ownMs: 3000, otherMs: 3000 }, 240, true, false],
  [
    'RIST sender, its receiver too high',
    { ...RIST, isReceiver: false, ownMs: 3000, otherMs: 3000 },
    240,
    false,
    true,
  ],
])('where the needed latency must be set: %s', (_, ends, neededMs, isOwn, isOther) => {
  expect(endsToSet(ends, neededMs)).toEqual({ isOwn, isOther })
})
