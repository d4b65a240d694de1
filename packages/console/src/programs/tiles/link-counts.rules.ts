/** What a link has measured between two readings, or since its program started. */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'

export interface LinkCounts {
  packets: number
  /** Missing at first try; null where this end cannot know it. */
  lost: number | null
  /** Dropped; null where this end cannot know it. */
  dropped: number | null
  resent: number
}

export function countsOf(reading: LinkReading): LinkCounts {
  const { packets, lostPackets, droppedPackets, retransmittedPackets } = reading
  return { packets, lost: lostPackets, dropped: droppedPackets, resent: retransmittedPackets }
}

export function countsBetween(first: LinkReading, last: LinkReading): LinkCounts {
  const [before, now] = [countsOf(first), countsOf(last)]
  return {
    packets: now.packets - before.packets,
    lost: difference(now.lost, before.lost),
    dropped: difference(now.dropped, before.dropped),
    resent: now.resent - before.resent,
  }
}

/** A tool may take back what it called lost. */
function difference(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : Math.max(0, now - before)
}

/** Packets that came only by being sent again; what a sending end resent, of which some may be lost. */
export function savedPackets({ lost, dropped, resent }: LinkCounts): number {
  return lost === null || dropped === null ? resent : Math.max(0, lost - dropped)
}

/** Share of all packets that were sent again, in percent; null without packets. */
export function savedPercent(counts: LinkCounts): number | null {
  const offered = counts.packets + (counts.dropped ?? 0)
  return offered <= 0 ? null : (savedPackets(counts) / offered) * 100
}

/** The readings of the last minute with this one; counters that fall belong to a new process. */
export function withReading(
  kept: readonly LinkReading[],
  reading: LinkReading,
): readonly LinkReading[] {
  const last = kept.at(-1)
  if (last?.atMs === reading.atMs) return kept
  const isNewProcess = last !== undefined && reading.packets < last.packets
  const before = isNewProcess ? [] : kept.filter((item) => reading.atMs - item.atMs <= MINUTE_MS)
  return [...before, reading]
}
