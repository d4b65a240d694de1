import { expect, test } from 'vitest'
import type { LinkSample } from './link-sample.ts'
import { losingSinceMs, withLoss, type LossWindow } from './loss-window.ts'

function sample(atMs: number, packets: number, gaveUpPackets: number): LinkSample {
  return {
    protocol: 'srt',
    direction: 'receive',
    atMs,
    toolKbps: 0,
    rttMs: null,
    packets,
    payloadBytes: 0,
    lostPackets: gaveUpPackets,
    retransmittedPackets: 0,
    droppedPackets: gaveUpPackets,
    gaveUpPackets,
  }
}

const window: LossWindow = [
  sample(1000, 400, 0),
  sample(2000, 400, 3),
  sample(3000, 400, 5),
].reduce<LossWindow>(withLoss, [])

test('a link loses from the first packet that is dropped, and no longer than ten seconds after', () => {
  expect(losingSinceMs(window, 3000)).toBe(2000)
  expect(losingSinceMs(window, 12_500)).toBe(3000)
  expect(losingSinceMs(window, 13_001)).toBeNull()
})

test('one packet in a thousand is accepted, more is not', () => {
  const of = (lost: number) => losingSinceMs(withLoss([], sample(0, 1000 - lost, lost)), 0)
  expect(of(1)).toBeNull()
  expect(of(2)).toBe(0)
})

test('what is older than the window is not kept', () => {
  expect(withLoss(window, sample(13_500, 400, 0))).toHaveLength(1)
})
