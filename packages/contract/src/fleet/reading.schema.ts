/** What a running program says about its own work, read by the agent from statistics lines. */
import { z } from 'zod'

/** One end of an SRT or RIST link. Counters are sums since the program started. */
export const LinkReading = z.object({
  kind: z.literal('link'),
  protocol: z.enum(['srt', 'rist']),
  direction: z.enum(['send', 'receive']),
  atMs: z.number(),
  bitrateKbps: z.number(),
  rttMs: z.number().nullable(),
  packets: z.number(),
  /** Missing at first try. */
  lostPackets: z.number(),
  retransmittedPackets: z.number(),
  /** Lost for good: too late or given up. */
  droppedPackets: z.number(),
})
export type LinkReading = z.infer<typeof LinkReading>

export const EncodeReading = z.object({
  kind: z.literal('encode'),
  atMs: z.number(),
  /** Of the multiplex as written to the output, over the last statistics period. */
  bitrateKbps: z.number(),
  framesPerSecond: z.number(),
  /** 1 is real time. */
  speed: z.number(),
  droppedFrames: z.number(),
  duplicatedFrames: z.number(),
})
export type EncodeReading = z.infer<typeof EncodeReading>

export const Reading = z.discriminatedUnion('kind', [LinkReading, EncodeReading])
export type Reading = z.infer<typeof Reading>
