import { expect, test } from 'vitest'
import { measuredPath } from './measured-path.rules.ts'

/** Ten minutes of steps; each minute loses as many of a thousand packets a step. */
function steps(lostOf: (minute: number) => number) {
  return Array.from({ length: 60 }, (_, at) => ({
    atS: 6000 + at * 10,
    stepS: 10,
    rttMaxMs: at + 1,
    packets: 1000 - lostOf(Math.floor(at / 6)),
    lost: lostOf(Math.floor(at / 6)),
    resent: 50,
  }))
}

test('RTT counts by its steps, loss by its minutes, as the receiving end counted', () => {
  const own = steps(() => 0)
  const received = steps((minute) => (minute === 4 ? 100 : 10))
  expect(measuredPath(own, received)).toEqual({
    steps: 60,
    firstAtMs: 6_000_000,
    lastAtMs: 6_600_000,
    rttMs: { median: 30, p95: 57, highest: 60 },
    loss: { percent: 1.9, worstPercent: 10, countedBy: 'receiver' },
  })
})

test('without a receiving end loss is what the sender had to resend', () => {
  expect(
    measuredPath(
      steps(() => 0),
      null,
    )?.loss,
  ).toEqual({
    percent: 5,
    worstPercent: 5,
    countedBy: 'sender',
  })
  expect(
    measuredPath(
      steps(() => 0),
      [],
    )?.loss?.countedBy,
  ).toBe('sender')
})

test('steps without an RTT are no measurement, and steps without packets have no loss', () => {
  const silent = steps(() => 0).map((step) => ({ ...step, rttMaxMs: null }))
  expect(measuredPath(silent, null)).toBeNull()
  const empty = steps(() => 0).map((step) => ({ ...step, packets: 0, resent: 0 }))
  expect(measuredPath(empty, null)?.loss).toBeNull()
})
