/**
 * librist's statistics lines (dataplane.md 4.2): each counts since the line before (tried). Rates
 * are bit/s, smoothed by the tool, and a receiver's stays at its last value when nothing comes.
 */
import { z } from 'zod'
import { parseJsonObject, type LinkSample } from './link-sample.ts'

const SenderLine = z.object({
  'sender-stats': z.object({
    peer: z.object({
      stats: z.object({
        sent: z.number(),
        retransmitted: z.number(),
        bandwidth: z.number(),
        bandwidth_skipped: z.number(),
        bloat_skipped: z.number(),
        retransmit_skipped: z.number(),
        rtt: z.number(),
      }),
    }),
  }),
})
const ReceiverLine = z.object({
  'receiver-stats': z.object({
    flowinstant: z.object({
      stats: z.object({
        received: z.number(),
        missing: z.number(),
        recovered_total: z.number(),
        lost: z.number(),
        bitrate: z.number(),
      }),
      peers: z.array(z.object({ stats: z.object({ rtt: z.number() }) })),
    }),
  }),
})

/** Null for a line that is no statistics of that direction. */
export function readRistLine(line: string, direction: 'send' | 'receive'): LinkSample | null {
  const brace = line.indexOf('{"')
  if (brace < 0 || !line.includes('-stats"')) return null
  const json = parseJsonObject(line.slice(brace))
  // The prefix is seconds since 1970 with six decimals.
  const atMs = Math.round(Number.parseFloat(line) * 1000)
  return direction === 'send' ? readSender(json, atMs) : readReceiver(json, atMs)
}

function readSender(json: unknown, atMs: number): LinkSample | null {
  const parsed = SenderLine.safeParse(json)
  if (!parsed.success) return null
  const { stats } = parsed.data['sender-stats'].peer
  return {
    protocol: 'rist',
    direction: 'send',
    atMs,
    bitrateKbps: Math.round(stats.bandwidth / 1000),
    rttMs: stats.rtt,
    packets: stats.sent,
    // The far end asks again for each packet that it misses.
    lostPackets: stats.retransmitted,
    retransmittedPackets: stats.retransmitted,
    droppedPackets: stats.bandwidth_skipped + stats.bloat_skipped + stats.retransmit_skipped,
  }
}

function readReceiver(json: unknown, atMs: number): LinkSample | null {
  const parsed = ReceiverLine.safeParse(json)
  if (!parsed.success) return null
  const { stats, peers } = parsed.data['receiver-stats'].flowinstant
  return {
    protocol: 'rist',
    direction: 'receive',
    atMs,
    bitrateKbps: stats.received === 0 ? 0 : Math.round(stats.bitrate / 1000),
    rttMs: peers[0]?.stats.rtt ?? null,
    packets: stats.received,
    lostPackets: stats.missing,
    retransmittedPackets: stats.recovered_total,
    droppedPackets: stats.lost,
  }
}
