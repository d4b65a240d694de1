import { expect, onTestFinished, test, vi } from 'vitest'
import { SilenceWatch } from './silence-watch.ts'
import { stall } from '../testing/process/stall.ts'

const BEAT_MS = 20
/** For a wait that ends late, but not so late that this alone says what happened. */
const LONG_BEAT_MS = 300

/** `onAsk` gets the number of questions so far. */
function openWatch(onAsk: (count: number, watch: SilenceWatch) => void, beatMs = BEAT_MS) {
  const { promise: silent, resolve } = Promise.withResolvers<'silent'>()
  let asked = 0
  const watch = new SilenceWatch({
    beatMs,
    ask: () => onAsk(++asked, watch),
    onSilent: () => resolve('silent'),
  })
  onTestFinished(() => watch.stop())
  return { watch, silent }
}

test('a host that answers no question is silent', async () => {
  const { watch, silent } = openWatch(() => undefined)
  watch.heard(2 * BEAT_MS)
  expect(await silent).toBe('silent')
})

test('stalls of the process itself are not silence, even when one follows another', async () => {
  const { promise: heard, resolve } = Promise.withResolvers<'heard'>()
  const { watch, silent } = openWatch((count) => {
    if (count < 4) return stall(3 * BEAT_MS)
    watch.heard(60_000)
    resolve('heard')
  })
  watch.heard(2 * BEAT_MS)
  stall(3 * BEAT_MS)
  expect(await Promise.race([heard, silent])).toBe('heard')
})

test('a host that nothing was asked of, as the process was held up, is not silent', async () => {
  const { promise: heard, resolve } = Promise.withResolvers<'heard'>()
  const answer = (count: number) => {
    if (count < 2) return
    watch.heard(60_000)
    resolve('heard')
  }
  const { watch, silent } = openWatch(answer, LONG_BEAT_MS)
  watch.heard(2 * LONG_BEAT_MS)
  stall(2 * LONG_BEAT_MS)
  expect(await Promise.race([heard, silent])).toBe('heard')
})

test('what has come by the end of the wait is read before a host counts as silent', async () => {
  const { promise: heard, resolve } = Promise.withResolvers<'heard'>()
  const { watch, silent } = openWatch(() => undefined, LONG_BEAT_MS)
  watch.heard(2 * LONG_BEAT_MS)
  // From after the first question until both are due: what comes, and then the end of the wait.
  setTimeout(() => stall(LONG_BEAT_MS / 2 + BEAT_MS), 1.5 * LONG_BEAT_MS)
  const read = () => {
    watch.heard(60_000)
    resolve('heard')
  }
  setTimeout(() => setImmediate(read), 2 * LONG_BEAT_MS - 1)
  expect(await Promise.race([silent, heard])).toBe('heard')
})

test('a machine that stays too busy does not hide for ever that a host is gone', async () => {
  const { watch, silent } = openWatch(() => stall(3 * BEAT_MS))
  watch.heard(2 * BEAT_MS)
  expect(await silent).toBe('silent')
})

test('G1 a host that gives signs of life by itself is not asked; the first beat without one is', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const onAsk = vi.fn<() => void>()
  const { watch, silent } = openWatch(onAsk, LONG_BEAT_MS)
  for (let signs = 0; signs < 10; signs++) {
    watch.heard(2 * LONG_BEAT_MS)
    vi.advanceTimersByTime(0.9 * LONG_BEAT_MS)
  }
  expect(onAsk).not.toHaveBeenCalled()
  vi.advanceTimersByTime(0.2 * LONG_BEAT_MS)
  expect(onAsk).toHaveBeenCalledTimes(1)
  // Fractions of a millisecond come after it.
  await vi.advanceTimersByTimeAsync(1.5 * LONG_BEAT_MS)
  expect(await silent).toBe('silent')
})
