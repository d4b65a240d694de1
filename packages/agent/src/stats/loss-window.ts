/** How many packets a link loses for good now: over the last ten seconds, so that it ends with the loss. Pure. */
import type { LinkSample } from './link-sample.ts'

const LOSS_WINDOW_MS = 10_000
/** So long without a dropped packet: the loss is over, and a network that was repaired is seen to be. */
const OVER_AFTER_MS = 4000

interface LossMark {
  atMs: number
  packets: number
  gaveUpPackets: number
}

/** Oldest first. */
export type LossWindow = readonly LossMark[]

export function withLoss(window: LossWindow, sample: LinkSample): LossWindow {
  const { atMs, packets, gaveUpPackets } = sample
  return [...recent(window, atMs), { atMs, packets, gaveUpPackets }]
}

/** Share of the packets that are lost, above 0, and when the loss that goes on began; null without one. */
export function lossOf(
  window: LossWindow,
  nowMs: number,
): { share: number; sinceMs: number } | null {
  const marks = recent(window, nowMs)
  const first = marks.find((mark) => mark.gaveUpPackets > 0)
  if (first === undefined) return null
  const newestAtMs = marks.at(-1)?.atMs ?? nowMs
  const isDropped = (mark: LossMark) =>
    mark.gaveUpPackets > 0 && newestAtMs - mark.atMs < OVER_AFTER_MS
  if (!marks.some(isDropped)) return null
  const lost = marks.reduce((sum, mark) => sum + mark.gaveUpPackets, 0)
  const offered = marks.reduce((sum, mark) => sum + mark.packets, lost)
  return { share: lost / offered, sinceMs: first.atMs }
}

function recent(window: LossWindow, nowMs: number): LossWindow {
  return window.filter(({ atMs }) => nowMs - atMs <= LOSS_WINDOW_MS)
}
