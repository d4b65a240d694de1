import { expect, test } from 'vitest'
import type { LinkSample } from './link-sample.ts'
import { lossOf, withLoss, type LossWindow } from './loss-window.ts'

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
  expect(lossOf(window, 3000)).toEqual({ share: 8 / 1208, sinceMs: 2000 })
  expect(lossOf(window, 12_500)).toEqual({ share: 5 / 405, sinceMs: 3000 })
  expect(lossOf(window, 13_001)).toBeNull()
})

test('a loss is over after four seconds in which nothing was dropped', () => {
  const after = (atMs: number) => withLoss(window, sample(atMs, 400, 0))
  expect(lossOf(after(6900), 6900)).toMatchObject({ sinceMs: 2000 })
  expect(lossOf(after(7000), 7000)).toBeNull()
})

test('samples older than the window are not kept', () => {
  expect(withLoss(window, sample(13_500, 400, 0))).toHaveLength(1)
})
