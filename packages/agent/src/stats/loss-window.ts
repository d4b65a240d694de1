/** Whether a link loses packets for good now: over the last ten seconds, so that it ends with the loss. Pure. */
import type { LinkSample } from './link-sample.ts'

const LOSS_WINDOW_MS = 10_000
/** One packet in a thousand dropped shows in the picture. */
const LOST_SHARE_LIMIT = 0.001

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

/** When the loss that goes on began; null without one. */
export function losingSinceMs(window: LossWindow, nowMs: number): number | null {
  const marks = recent(window, nowMs)
  const lost = marks.reduce((sum, mark) => sum + mark.gaveUpPackets, 0)
  const offered = marks.reduce((sum, mark) => sum + mark.packets, lost)
  if (lost <= 0 || lost / offered <= LOST_SHARE_LIMIT) return null
  return marks.find((mark) => mark.gaveUpPackets > 0)?.atMs ?? null
}

function recent(window: LossWindow, nowMs: number): LossWindow {
  return window.filter(({ atMs }) => nowMs - atMs <= LOSS_WINDOW_MS)
}
