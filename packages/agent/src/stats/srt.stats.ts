/**
 * srt-live-transmit's statistics lines (`-pf json`, dataplane.md 3.4): without `-f` each line
 * counts since the line before, over all of its connections (tried). Rates are Mbit/s.
 *
 * A sending end cannot know what is lost: its `packetsLost` counts requests, the same packet again
 * and again (against a counting relay: 905 for 374), and `packetsDropped` what it gave up by itself
 * (96 where the receiver lost 172). The receiving end's figures are exact.
 */
import { z } from 'zod'
import { parseJsonObject, type LinkSample } from './link-sample.ts'

const Counters = z.object({
  packetsUnique: z.number(),
  packetsLost: z.number(),
  packetsDropped: z.number(),
  packetsRetransmitted: z.number(),
  mbitRate: z.number(),
  bytesUnique: z.number(),
})
const SrtLine = z.object({
  timepoint: z.string(),
  link: z.object({ rtt: z.number() }),
  send: Counters.extend({ msBuf: z.number().optional() }),
  recv: Counters.extend({ msTsbPdDelay: z.number().optional() }),
})

/** UDP, IP and SRT headers, which the tool counts as bytes of each packet. */
const HEADER_BYTES = 44

/** Null for a line that is no statistics. */
export function readSrtLine(line: string, direction: 'send' | 'receive'): LinkSample | null {
  if (!line.startsWith('{')) return null
  const parsed = SrtLine.safeParse(parseJsonObject(line))
  if (!parsed.success) return null
  const { msTsbPdDelay } = parsed.data.recv
  const { msBuf } = parsed.data.send
  const receives = direction === 'receive'
  const counters = receives ? parsed.data.recv : parsed.data.send
  // `+0000` is not what every Date reads; `+00:00` is.
  const atMs = Date.parse(parsed.data.timepoint.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  if (Number.isNaN(atMs)) return null
  const payloadBytes = Math.max(0, counters.bytesUnique - HEADER_BYTES * counters.packetsUnique)
  const payloadShare = counters.bytesUnique > 0 ? payloadBytes / counters.bytesUnique : 0
  return {
    protocol: 'srt',
    direction,
    atMs,
    toolKbps: Math.round(counters.mbitRate * 1000 * payloadShare),
    rttMs: parsed.data.link.rtt,
    ...(msTsbPdDelay === undefined ? {} : { latencyMs: msTsbPdDelay }),
    packets: counters.packetsUnique,
    payloadBytes,
    bytes: counters.bytesUnique,
    lostPackets: receives ? counters.packetsLost : null,
    retransmittedPackets: counters.packetsRetransmitted,
    droppedPackets: receives ? counters.packetsDropped : null,
    gaveUpPackets: counters.packetsDropped,
    ...(receives || msBuf === undefined ? {} : { sendBufferMs: msBuf }),
  }
}
