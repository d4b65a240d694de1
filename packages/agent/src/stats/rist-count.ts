/**
 * What librist's statistics add up to: the reading, and what is kept between two lines. The stream is
 * counted once, however many paths it takes or receivers it has, and its rate is that of one of them.
 * Pure.
 */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { addSample, type LinkCount, type LinkSample, NO_LINK_COUNT } from './link-sample.ts'
import { kbpsOf, RATE_WINDOW_MS, withMark, type RateWindow } from './rate-window.ts'
import type { Shortfall } from './rist-paths.ts'

export interface RistLink {
  direction: 'send' | 'receive'
  /** Simple counts two peers for a path, data and control. */
  isSimple: boolean
  /** `host:port` of each path as the settings have them; none unless there are two. */
  addresses: readonly string[]
}

/** Between two lines. What an operator sees is in the reading. */
export interface RistCount {
  /** Sender. */
  round: Round
  /** Receiver: whose packets these are; a caller that starts anew has another one. */
  flowId: number
  /** Receiver: which peer each path is. */
  peerIds: readonly number[]
  shortfalls: readonly Shortfall[]
  /** Where callers call from, by peer. */
  callers: ReadonlyMap<number, string>
  callingId: number
  link: LinkCount
  /** Datagrams in place of bytes: with the tool's own rate they give the size of one. */
  datagrams: RateWindow
  datagramBytes: number
}

/** The lines of one interval: the peers that they name, and the most that one of them got. */
export interface Round {
  atMs: number
  peerIds: readonly number[]
  packets: number
  /** That the last line added. */
  newPackets: number
  toolKbps: number
  rttMs: number | null
}

export const NO_ROUND: Round = {
  atMs: 0,
  peerIds: [],
  packets: 0,
  newPackets: 0,
  toolKbps: 0,
  rttMs: null,
}

const TS_PACKET_BYTES = 188
const MOST_TS_PACKETS = 7
/** Of RIST, GRE, UDP and IP, as the tool's rate counts them for a datagram. */
const HEADER_BYTES = 28

export const NO_RIST_COUNT: RistCount = {
  round: NO_ROUND,
  flowId: 0,
  peerIds: [],
  shortfalls: [],
  callers: new Map(),
  callingId: 0,
  link: NO_LINK_COUNT,
  datagrams: [],
  datagramBytes: TS_PACKET_BYTES * MOST_TS_PACKETS,
}

export interface Counted {
  count: RistCount
  reading: LinkReading | null
}

export type RistSample = Omit<LinkSample, 'payloadBytes' | 'protocol'>

export function withSample(
  { count, reading }: Counted,
  sample: RistSample,
): { count: RistCount; reading: LinkReading } {
  const packets = (count.datagrams.at(-1)?.bytes ?? 0) + sample.packets
  const datagrams = withMark(count.datagrams, { atMs: sample.atMs, bytes: packets })
  const datagramBytes = sizeOf(datagrams, sample.toolKbps) ?? count.datagramBytes
  const payloadBytes = sample.packets * datagramBytes
  const added = addSample(count.link, reading, { ...sample, protocol: 'rist', payloadBytes })
  return {
    count: { ...count, link: added.count, datagrams, datagramBytes },
    reading: added.reading,
  }
}

/**
 * The tool counts datagrams and tells a rate, smoothed: both together give the size of a datagram,
 * which is some whole packets of the transport stream. Null until the rate has settled.
 */
function sizeOf(datagrams: RateWindow, toolKbps: number): number | null {
  const spanMs = (datagrams.at(-1)?.atMs ?? 0) - (datagrams[0]?.atMs ?? 0)
  const rate = kbpsOf(datagrams)
  if (rate === null || rate <= 0 || spanMs < RATE_WINDOW_MS / 2) return null
  const packets = Math.round((toolKbps / rate - HEADER_BYTES) / TS_PACKET_BYTES)
  return Math.min(MOST_TS_PACKETS, Math.max(1, packets)) * TS_PACKET_BYTES
}
