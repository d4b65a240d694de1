/**
 * srt-live-transmit's statistics lines (`-pf json`, dataplane.md 3.4): without `-f` each line
 * counts since the line before, over all of its connections (tried). Rates are Mbit/s.
 */
import { z } from 'zod'
import { parseJsonObject, type LinkSample } from './link-sample.ts'

const Counters = z.object({
  packetsUnique: z.number(),
  packetsLost: z.number(),
  packetsDropped: z.number(),
  packetsRetransmitted: z.number(),
  mbitRate: z.number(),
  bytesUnique: z.number().optional(),
})
const SrtLine = z.object({
  timepoint: z.string(),
  link: z.object({ rtt: z.number() }),
  send: Counters,
  recv: Counters,
})

/** Null for a line that is no statistics. */
export function readSrtLine(line: string, direction: 'send' | 'receive'): LinkSample | null {
  if (!line.startsWith('{')) return null
  const parsed = SrtLine.safeParse(parseJsonObject(line))
  if (!parsed.success) return null
  const counters = direction === 'send' ? parsed.data.send : parsed.data.recv
  // `+0000` is not what every Date reads; `+00:00` is.
  const atMs = Date.parse(parsed.data.timepoint.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  if (Number.isNaN(atMs)) return null
  return {
    protocol: 'srt',
    direction,
    atMs,
    bitrateKbps: Math.round(counters.mbitRate * 1000),
    rttMs: parsed.data.link.rtt,
    packets: counters.packetsUnique,
    ...(counters.bytesUnique === undefined ? {} : { bytes: counters.bytesUnique }),
    lostPackets: counters.packetsLost,
    retransmittedPackets: counters.packetsRetransmitted,
    droppedPackets: counters.packetsDropped,
  }
}
