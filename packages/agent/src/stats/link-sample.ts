/** What both link tools report at a time, and the sums that a reading is made of. Pure. */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { isStill, kbpsOf, withMark, type RateWindow } from './rate-window.ts'

/** A tool that counts packets prints nothing when none come; this long at least is silence. */
export const SILENT_AFTER_MS = 2500

/** As every tool cuts a transport stream: seven packets a datagram. */
export const TS_DATAGRAM_BYTES = 1316

/** Counts since the sample before; times as of now. */
export interface LinkSample {
  protocol: LinkReading['protocol']
  direction: LinkReading['direction']
  /** As the line itself says: it may be read later than it was written. */
  atMs: number
  /** What the tool itself calls the rate: stands in until there are two counts. */
  toolKbps: number
  rttMs: number | null
  /** Negotiated for what this end receives; left out where the tool does not tell it. */
  latencyMs?: number
  packets: number
  /** Of the stream that is carried, without headers and repeats. */
  payloadBytes: number
  /** As on the wire. */
  bytes?: number
  /** Null where this end cannot know it. */
  lostPackets: number | null
  retransmittedPackets: number
  droppedPackets: number | null
  /** That this end knows to be dropped, be they not all. */
  gaveUpPackets: number
  /** What waits to be sent, or to be acknowledged; left out where the tool does not tell it. */
  sendBufferMs?: number
}

/** What a reading is made from, beside itself. */
export interface LinkCount {
  /** Payload of the last seconds. */
  rate: RateWindow
  /** From the last line. */
  sample: LinkSample | null
}

export const NO_LINK_COUNT: LinkCount = { rate: [], sample: null }

/** The sums with one more sample in them, and the rate of the last seconds. */
export function addSample(
  count: LinkCount,
  reading: LinkReading | null,
  sample: LinkSample,
): { count: LinkCount; reading: LinkReading } {
  const { protocol, direction, atMs, rttMs, packets, bytes, sendBufferMs } = sample
  const rate = rateWith(count.rate, reading, sample)
  return {
    count: { sample, rate: isStill(rate) ? rate.slice(-1) : rate },
    reading: {
      kind: 'link',
      protocol,
      direction,
      atMs,
      bitrateKbps: isStill(rate) ? 0 : Math.round(kbpsOf(rate) ?? sample.toolKbps),
      rttMs,
      packets: (reading?.packets ?? 0) + packets,
      ...(bytes === undefined ? {} : { bytes: (reading?.bytes ?? 0) + bytes }),
      lostPackets: sum(reading?.lostPackets, sample.lostPackets),
      retransmittedPackets: (reading?.retransmittedPackets ?? 0) + sample.retransmittedPackets,
      droppedPackets: sum(reading?.droppedPackets, sample.droppedPackets),
      ...(sendBufferMs === undefined ? {} : { sendBufferMs }),
    },
  }
}

/** A stream that comes back came at some time before its first line: it is counted from there on. */
function rateWith(
  rate: RateWindow,
  reading: LinkReading | null,
  { atMs, payloadBytes }: LinkSample,
): RateWindow {
  const bytes = (rate.at(-1)?.bytes ?? 0) + payloadBytes
  const isBack = reading?.bitrateKbps === 0 && payloadBytes > 0
  return withMark(isBack ? [] : rate, { atMs, bytes })
}

function sum(before: number | null | undefined, more: number | null): number | null {
  return more === null ? null : (before ?? 0) + more
}

/** A line of a log is text from outside: null when it is no JSON, or cut in two. */
export function parseJsonObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
