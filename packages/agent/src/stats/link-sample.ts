/** What both link tools report at a time, and the sums that a reading is made of. Pure. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'

/** Counts since the sample before; rates and times as of now. */
export interface LinkSample {
  protocol: LinkReading['protocol']
  direction: LinkReading['direction']
  /** As the line itself says: it may be read later than it was written. */
  atMs: number
  bitrateKbps: number
  rttMs: number | null
  packets: number
  bytes?: number
  lostPackets: number
  retransmittedPackets: number
  droppedPackets: number
}

export function addSample(before: LinkReading | null, sample: LinkSample): LinkReading {
  return {
    kind: 'link',
    ...sample,
    packets: (before?.packets ?? 0) + sample.packets,
    ...(sample.bytes === undefined ? {} : { bytes: (before?.bytes ?? 0) + sample.bytes }),
    lostPackets: (before?.lostPackets ?? 0) + sample.lostPackets,
    retransmittedPackets: (before?.retransmittedPackets ?? 0) + sample.retransmittedPackets,
    droppedPackets: (before?.droppedPackets ?? 0) + sample.droppedPackets,
  }
}

/** A line of a log is text from outside: null when it is no JSON, or cut in two. */
export function parseJsonObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
