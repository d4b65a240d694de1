import { expect, test } from 'vitest'
import { PacketPace } from './packet-pace.ts'

/** 1316 bytes every 2 ms. */
const RATE_KBPS = 5264

function sentAt(timesMs: readonly number[]): number[] {
  const pace = new PacketPace(RATE_KBPS, 0)
  return timesMs.map((nowMs) => pace.due(nowMs))
}

test('each packet is due at its own time', () => {
  expect(sentAt([0, 1, 2, 3, 4, 6])).toEqual([1, 0, 1, 0, 1, 1])
})

test('a late timer sends what was due meanwhile, and the next packets are on time again', () => {
  expect(sentAt([0, 4.5, 5, 6])).toEqual([1, 2, 0, 1])
})

test('packets that are very late are skipped, so that no burst is sent', () => {
  expect(sentAt([0, 1000, 1001, 1003])).toEqual([1, 3, 1, 1])
})
