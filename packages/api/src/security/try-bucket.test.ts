import { expect, test } from 'vitest'
import { createTryBucket } from './try-bucket.ts'

function bucket(most: number) {
  let nowMs = 1_000_000
  const inner = createTryBucket(most, () => nowMs)
  return {
    ...inner,
    pass: (durationMs: number) => void (nowMs += durationMs),
    waitMs: () => Math.max(0, inner.nextAtMs() - nowMs),
    takeAll() {
      let taken = 0
      for (; !inner.isEmpty(); taken++) inner.take()
      return taken
    },
  }
}

test('T6 some tries at once, then one every 15 seconds', () => {
  const tries = bucket(3)
  expect(tries.takeAll()).toBe(3)
  expect(tries.waitMs()).toBe(15_000)
  tries.pass(14_999)
  expect(tries.takeAll()).toBe(0)
  tries.pass(1)
  expect(tries.takeAll()).toBe(1)
})

test('T6 it holds no more than at the beginning, however long nobody tries', () => {
  const tries = bucket(3)
  tries.takeAll()
  tries.pass(3_600_000)
  expect(tries.takeAll()).toBe(3)
})

test('T6 a turn that comes a millisecond early gives nobody another', () => {
  const tries = bucket(3)
  tries.takeAll()
  tries.pass(14_999)
  tries.take()
  expect(tries.takeAll()).toBe(0)
  expect(tries.waitMs()).toBe(15_001)
})

test('a try that was no guess is given back', () => {
  const tries = bucket(2)
  tries.takeAll()
  tries.giveBack()
  expect(tries.takeAll()).toBe(1)
})

test('after a clock was set back by an hour there is a try at once', () => {
  const tries = bucket(3)
  tries.takeAll()
  tries.pass(-3_600_000)
  expect(tries.takeAll()).toBe(1)
  expect(tries.waitMs()).toBe(15_000)
})
