/**
 * What was counted in the transport stream of a link over time, of the parts of it that were looked
 * at: a sampled link is looked at for a few seconds of each minute. Times: milliseconds since 1970,
 * on the way from a host by its clock, otherwise by the API's.
 */
import { z } from 'zod'
import { FAULTS_OF_SPAN, HISTORY_FAULTS, SPANS_OF_MINUTE } from './transport-history.rules.ts'

export const HistoryFault = z.object({
  kind: z.enum(HISTORY_FAULTS),
  /** Null: of the stream as a whole. */
  pid: z.number().nullable(),
  /** Null of what is not counted, such as a missing table, as is `longestMs`. */
  count: z.number().nullable(),
  longestMs: z.number().nullable(),
})
export type HistoryFault = z.infer<typeof HistoryFault>

/** A window in which something was wrong, or several that were joined. */
export const ErrorSpan = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  /** Of the time from its begin to its end. */
  lookedMs: z.number(),
  /** Of a single sample: from the sample before to this one. Otherwise null. */
  everyMs: z.number().nullable(),
  /** The worst first. */
  faults: z.array(HistoryFault).max(FAULTS_OF_SPAN),
})
export type ErrorSpan = z.infer<typeof ErrorSpan>

/** Counts and worst figures of what was looked at. Null: there was no such figure. */
export const TransportFigures = z.object({
  lookedMs: z.number(),
  /** Of these: read without gaps. */
  followedMs: z.number(),
  continuityErrors: z.number(),
  syncLosses: z.number(),
  /** Packets that the sender marks as damaged (transport_error_indicator). */
  transportErrors: z.number(),
  /** Of PAT and PMT sections. */
  crcErrors: z.number(),
  scrambledPackets: z.number(),
  /** The longest times without a PAT or PMT, and between two clock references. */
  patGapMs: z.number().nullable(),
  pmtGapMs: z.number().nullable(),
  pcrIntervalMs: z.number().nullable(),
  pcrJitterMs: z.number().nullable(),
})
export type TransportFigures = z.infer<typeof TransportFigures>

/** One minute of one link, as its host counts it: it is over, and never changes any more. */
export const TransportMinute = TransportFigures.extend({
  programId: z.string(),
  /** Its begin, by the host's clock. */
  atMs: z.number(),
  errors: z.array(ErrorSpan).max(SPANS_OF_MINUTE),
})
export type TransportMinute = z.infer<typeof TransportMinute>
