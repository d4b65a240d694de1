import { expect, test } from 'vitest'
import { isStill, kbpsOf, RATE_WINDOW_MS, withMark, type RateWindow } from './rate-window.ts'

const DATAGRAM_BYTES = 1316
const KBPS = 4500

/** Counts of a constant stream, taken every `everyMs` with the jitter of a busy host. */
function constant(everyMs: number, count: number): RateWindow {
  return Array.from({ length: count }, (_, index) => {
    const atMs = 1_000_000 + index * everyMs + (index % 3) * 15
    const datagrams = Math.floor(((index * everyMs + (index % 3) * 15) * KBPS) / 8 / DATAGRAM_BYTES)
    return { atMs, bytes: datagrams * DATAGRAM_BYTES }
  }).reduce<RateWindow>(withMark, [])
}

test.each([200, 500, 1000, 2000])(
  'a constant stream reads within 1 %%: a count every %i ms',
  (everyMs) => {
    const kbps = kbpsOf(constant(everyMs, 40)) ?? 0
    expect(Math.abs(kbps - KBPS) / KBPS).toBeLessThan(0.01)
  },
)

test('the window holds the last ten seconds, and always two counts', () => {
  const window = constant(1000, 30)
  const last = window.at(-1)
  expect((last?.atMs ?? 0) - (window[0]?.atMs ?? 0)).toBeLessThanOrEqual(RATE_WINDOW_MS)
  expect(window.length).toBeGreaterThan(8)
  expect(withMark([{ atMs: 0, bytes: 0 }], { atMs: 60_000, bytes: 7500 })).toHaveLength(2)
})

test('the rate starts anew when the sum or the time goes backwards', () => {
  const window = constant(1000, 5)
  const last = window.at(-1) ?? { atMs: 0, bytes: 0 }
  expect(kbpsOf(withMark(window, { atMs: last.atMs + 1000, bytes: 10 }))).toBeNull()
  expect(withMark(window, { atMs: last.atMs - 1, bytes: last.bytes })).toHaveLength(1)
})

test('a stalled stream is reported at the first count without bytes', () => {
  const window = constant(1000, 12)
  const last = window.at(-1) ?? { atMs: 0, bytes: 0 }
  expect(isStill(window)).toBe(false)
  expect(isStill(withMark(window, { ...last, atMs: last.atMs + 1000 }))).toBe(true)
  expect(isStill([last])).toBe(false)
})
