/** What a link has measured between two readings, or since its program started. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'

/** What a link did between two readings, or since its program started. */
export interface LinkCounts {
  packets: number
  /** Missing at first try. */
  lost: number
  /** Lost for good. */
  dropped: number
  spanMs: number
}

export function countsBetween(first: LinkReading, last: LinkReading): LinkCounts {
  return {
    packets: last.packets - first.packets,
    lost: last.lostPackets - first.lostPackets,
    dropped: last.droppedPackets - first.droppedPackets,
    spanMs: last.atMs - first.atMs,
  }
}

/** Share of all packets that came only by being sent again, in percent; null without packets. */
export function savedPercent(counts: Pick<LinkCounts, 'packets' | 'lost' | 'dropped'>) {
  const offered = counts.packets + Math.max(0, counts.dropped)
  if (offered <= 0) return null
  return (Math.max(0, counts.lost - counts.dropped) / offered) * 100
}

const MINUTE_MS = 60_000
/** Shorter spans make one packet look like a storm. */
const SPAN_NEEDED_MS = 4000

/** Packets lost for good a minute; null while the span is too short to tell. */
export function lostPerMinute(counts: LinkCounts): number | null {
  if (counts.spanMs < SPAN_NEEDED_MS) return null
  return (Math.max(0, counts.dropped) * MINUTE_MS) / counts.spanMs
}

/** The readings of the last minute with this one; counters that fall belong to a new process. */
export function withReading(
  kept: readonly LinkReading[],
  reading: LinkReading,
): readonly LinkReading[] {
  const last = kept.at(-1)
  if (last?.atMs === reading.atMs) return kept
  const isNewProcess = last !== undefined && reading.packets < last.packets
  const before = isNewProcess ? [] : kept.filter((one) => reading.atMs - one.atMs <= MINUTE_MS)
  return [...before, reading]
}
