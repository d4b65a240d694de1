/**
 * What librist 0.2.7 prints about its peers, line by line, as values (dataplane.md 4.2). Pure. Its
 * counters count since the line before (tried); its rates are bit/s, smoothed by the tool.
 */
import { z } from 'zod'
import { parseJsonObject } from './link-sample.ts'

const SenderLine = z.object({
  'sender-stats': z.object({
    peer: z.object({
      id: z.number(),
      /** Simple has a second peer for its control packets; Main's 'data' carries both. */
      type: z.string(),
      stats: z.object({
        sent: z.number(),
        received: z.number(),
        retransmitted: z.number(),
        bandwidth: z.number(),
        rtt: z.number(),
      }),
    }),
  }),
})
const ReceiverLine = z.object({
  'receiver-stats': z.object({
    flowinstant: z.object({
      flow_id: z.number(),
      dead: z.number(),
      stats: z.object({
        received: z.number(),
        missing: z.number(),
        recovered_total: z.number(),
        lost: z.number(),
        bitrate: z.number(),
      }),
      peers: z.array(
        z.object({
          id: z.number(),
          dead: z.number(),
          stats: z.object({
            received_data: z.number(),
            rtt: z.number(),
            bitrate: z.number(),
          }),
        }),
      ),
    }),
  }),
})
export type SenderPeer = z.infer<typeof SenderLine>['sender-stats']['peer']
export type ReceiverFlow = z.infer<typeof ReceiverLine>['receiver-stats']['flowinstant']
export type ReceiverPeer = ReceiverFlow['peers'][number]

export type RistLine =
  | { kind: 'sent'; atMs: number; peer: SenderPeer }
  | { kind: 'received'; atMs: number; flow: ReceiverFlow }
  /** Nothing comes from this peer any more. */
  | { kind: 'silent'; atMs: number; peerId: number }
  /** Somebody calls us; the next 'caller' says from where. */
  | { kind: 'calling'; peerId: number }
  | { kind: 'caller'; ip: string }

const SILENT = /Listening peer (\d+) timed out after/
const CALLING = /peer connecting, .{0,200}peer_id (\d+)/
/** The port that follows the address is wrong in Main (always 14126, tried). */
const CALLER = /sending oob\/api message: auth,([0-9.]+):/

/** Null for a line that tells nothing of these, or is cut in two. */
export function parseRistLine(line: string): RistLine | null {
  const atMs = timeOf(line)
  if (atMs === null) return null
  const brace = line.indexOf('{"')
  if (brace >= 0) return line.includes('-stats"') ? parseStatistics(line.slice(brace), atMs) : null
  const silent = SILENT.exec(line)
  if (silent) return { kind: 'silent', atMs, peerId: Number(silent[1]) }
  const calling = CALLING.exec(line)
  if (calling) return { kind: 'calling', peerId: Number(calling[1]) }
  const caller = CALLER.exec(line)
  return caller ? { kind: 'caller', ip: caller[1] ?? '' } : null
}

function parseStatistics(text: string, atMs: number): RistLine | null {
  const json = parseJsonObject(text)
  const sender = SenderLine.safeParse(json)
  if (sender.success) return { kind: 'sent', atMs, peer: sender.data['sender-stats'].peer }
  const receiver = ReceiverLine.safeParse(json)
  if (!receiver.success) return null
  return { kind: 'received', atMs, flow: receiver.data['receiver-stats'].flowinstant }
}

/** The prefix is seconds since 1970 with six decimals; null where a line has lost it. */
const TIME = /^\d{10}\.\d+(?=\|)/

function timeOf(line: string): number | null {
  const prefix = TIME.exec(line)
  return prefix ? Math.round(Number(prefix[0]) * 1000) : null
}
