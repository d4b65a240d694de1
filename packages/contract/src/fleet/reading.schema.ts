/** What a running program says about its own work, read by the agent from statistics lines. */
import { z } from 'zod'

/** One of the two paths of a RIST link. Counters are sums since the program started. */
export const PathReading = z.object({
  /**
   * The far end on this path: `host:port` as the settings have it; of one that calls us its address
   * alone, '' when the tool has not reported it.
   */
  address: z.string().max(300),
  isAlive: z.boolean(),
  /** Since when nothing has come back on it, host clock; null while it lives, or when not known. */
  silentSinceMs: z.number().nullable(),
  bitrateKbps: z.number(),
  rttMs: z.number().nullable(),
  /** Of payload, as carried on this path. */
  packets: z.number(),
  /** Null at the receiving end, whose tool does not report it per path. */
  retransmittedPackets: z.number().nullable(),
  /**
   * That came on this path alone, so that without it they would have been missing. The receiving end
   * counts them; the sending end knows only what it sent on this path while the other was silent.
   */
  savedPackets: z.number(),
})
export type PathReading = z.infer<typeof PathReading>

/** One end of an SRT or RIST link. Counters are sums since the program started. */
export const LinkReading = z.object({
  kind: z.literal('link'),
  protocol: z.enum(['srt', 'rist']),
  direction: z.enum(['send', 'receive']),
  atMs: z.number(),
  /** Of the payload, over the last ten seconds. */
  bitrateKbps: z.number(),
  rttMs: z.number().nullable(),
  /** Of payload. */
  packets: z.number(),
  /** As on the wire, headers among them; left out where the tool does not tell it. */
  bytes: z.number().optional(),
  /**
   * Missing at first try. Null at a sending end: it counts requests, and the same packet is asked
   * for again and again.
   */
  lostPackets: z.number().nullable(),
  retransmittedPackets: z.number(),
  /** Dropped: too late or given up. Null at a sending end, which cannot know it. */
  droppedPackets: z.number().nullable(),
  /** Of SRT at a sending end: how much of the stream waits to be sent, or to be acknowledged. */
  sendBufferMs: z.number().optional(),
  /**
   * Of a link with two paths only, in the order of its settings; of an input in the order in which
   * they came. `bitrateKbps` and `packets` above are the stream's, counted once.
   */
  paths: z.array(PathReading).max(8).optional(),
})
export type LinkReading = z.infer<typeof LinkReading>

export const EncodeReading = z.object({
  kind: z.literal('encode'),
  atMs: z.number(),
  /** Of the multiplex as written to the output, over the last ten seconds. */
  bitrateKbps: z.number(),
  /** Written since the program started; left out where ffmpeg does not count them. */
  bytes: z.number().optional(),
  framesPerSecond: z.number(),
  /** 1 is real time. */
  speed: z.number(),
  droppedFrames: z.number(),
  duplicatedFrames: z.number(),
})
export type EncodeReading = z.infer<typeof EncodeReading>

export const Reading = z.discriminatedUnion('kind', [LinkReading, EncodeReading])
export type Reading = z.infer<typeof Reading>
