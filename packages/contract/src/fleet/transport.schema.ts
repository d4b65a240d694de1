/**
 * What a host measured in the transport stream on a link's local bus, after ETSI TR 101 290. Times:
 * milliseconds since 1970; on the way from a host its clock, to a browser the API's.
 */
import { z } from 'zod'
import { seenText } from '../text.schema.ts'
import { PCRS_LISTED, PIDS_LISTED, PROGRAMS_LISTED } from './transport.rules.ts'

/** sampled: for two seconds now and then. continuous: without gaps, while somebody looks. */
const TransportMode = z.enum(['sampled', 'continuous'])

/** unlisted: no PMT names it. */
export const PidKind = z.enum(['table', 'video', 'audio', 'data', 'null', 'unlisted'])
export type PidKind = z.infer<typeof PidKind>

export const TransportPid = z.object({
  pid: z.number(),
  kind: PidKind,
  /** 'H.264', 'AAC', 'PMT'; '' when not known. */
  format: z.string().max(40).transform(seenText),
  bitrateKbps: z.number(),
  packets: z.number(),
  continuityErrors: z.number(),
  scrambledPackets: z.number(),
})
export type TransportPid = z.infer<typeof TransportPid>

/** How often a table came: the longest time without it counts from the begin, and to the end, too. */
const TableTiming = z.object({ sections: z.number(), longestGapMs: z.number() })

const TransportProgram = TableTiming.extend({
  number: z.number(),
  pmtPid: z.number(),
  /** Null before its PMT has come. */
  pcrPid: z.number().nullable(),
})

export const PcrTiming = z.object({
  pid: z.number(),
  count: z.number(),
  /** By the clock references themselves. */
  longestIntervalMs: z.number(),
  /** Intervals above 40 ms (recommended by DVB) and above 100 ms (TR 101 290). */
  over40Ms: z.number(),
  over100Ms: z.number(),
  /** Jumps that the stream does not announce. */
  jumps: z.number(),
  /**
   * Between the earliest and the latest arrival within two seconds, against the clock references: of
   * the network and of the host that measures. What a multiplexer itself is off by is far smaller,
   * and cannot be measured so.
   */
  jitterMs: z.number(),
})
export type PcrTiming = z.infer<typeof PcrTiming>

/** What is to be seen and heard in it, looked at now and then. */
export const TransportContent = z.object({
  /** Until when it was looked at last. */
  atMs: z.number(),
  /** From one look to the next, at least. */
  everyMs: z.number(),
  /** Null: no key frame came, or not for long enough to say. */
  picture: z
    .object({ kind: z.enum(['black', 'frozen', 'moving']), sinceMs: z.number() })
    .nullable(),
  /** Null: no sound, or not for long enough to say. */
  sound: z.object({ kind: z.enum(['silent', 'heard']), sinceMs: z.number() }).nullable(),
  /** The loudest sample of the last look, in dB below full scale: 0 or less. Null: no sound. */
  peakDbfs: z.number().nullable(),
})
export type TransportContent = z.infer<typeof TransportContent>

export const MeasuredTransport = z.object({
  state: z.literal('measured'),
  mode: TransportMode,
  /** All counts and longest times are of this span, bitrates of its last ten seconds at most. */
  fromMs: z.number(),
  toMs: z.number(),
  /** From one sample of this bus to the next; null while it is measured without gaps. */
  everyMs: z.number().nullable(),
  packets: z.number(),
  bitrateKbps: z.number(),
  /** The longest time in which nothing at all came. */
  longestSilenceMs: z.number(),
  syncByteErrors: z.number(),
  /** Two or more wrong sync bytes in a row. */
  syncLosses: z.number(),
  /** Packets that the sender itself marks as damaged (transport_error_indicator). */
  transportErrors: z.number(),
  /** Of PAT and PMT sections. */
  crcErrors: z.number(),
  pat: TableTiming,
  programs: z.array(TransportProgram).max(PROGRAMS_LISTED),
  pcrs: z.array(PcrTiming).max(PCRS_LISTED),
  /** Those with the highest bitrates, in the order of their numbers. */
  pids: z.array(TransportPid).max(PIDS_LISTED),
  /** All that came, listed or not. */
  pidCount: z.number(),
  /** Null before the first look, and where nothing can be decoded; agents of before have none. */
  content: TransportContent.nullable().default(null),
})
export type MeasuredTransport = z.infer<typeof MeasuredTransport>

/**
 * unicast: an address has one reader, so that it cannot be read without taking the stream from it.
 * overloaded: the host was too busy to read all, so that nothing can be said. failed: it could not
 * open its socket.
 */
export const UnreadTransport = z.object({
  state: z.literal('unread'),
  reason: z.enum(['unicast', 'overloaded', 'failed']),
  atMs: z.number(),
})
export type UnreadTransport = z.infer<typeof UnreadTransport>

export const TransportReport = z.discriminatedUnion('state', [MeasuredTransport, UnreadTransport])
export type TransportReport = z.infer<typeof TransportReport>
