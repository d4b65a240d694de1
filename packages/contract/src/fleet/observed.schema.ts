/**
 * What a host sees of a running program beside the process itself: the far end, the media and a
 * warning, each with the time at which it became so. The host keeps the times, also over a restart
 * of its agent: an age that is shown is the age of what is said.
 */
import { z } from 'zod'

/** waiting: nothing has moved since the process started; silent: something did, and stopped. */
export const MediaState = z.enum(['waiting', 'moving', 'silent'])
export type MediaState = z.infer<typeof MediaState>

/**
 * slow: below real time; losing: packets are dropped; path-silent: one of several paths is silent. black,
 * frozen: of the picture; silent: the audio is there, and nothing is to be heard. The worst of several.
 */
export const MediaWarning = z.enum([
  '',
  'slow',
  'black',
  'frozen',
  'losing',
  'path-silent',
  'silent',
])
export type MediaWarning = z.infer<typeof MediaWarning>

/** Something wrong with the media of a running program. */
export const MediaFinding = z.object({
  kind: MediaWarning.exclude(['']),
  sinceMs: z.number(),
  /** The step that its figure has passed, in percent (threshold.rules.ts); null: it has no figure. */
  step: z.number().nullable(),
})
export type MediaFinding = z.infer<typeof MediaFinding>

/** The peer that is connected, as the tool reports it: what it does not report is left empty. */
export const PeerFacts = z.object({
  /** Since when it is this peer. */
  sinceMs: z.number(),
  /** `host:port`, or the host alone; several receivers or paths with commas between. */
  address: z.string().max(600),
  /** Negotiated by SRT; null when not reported. RIST negotiates none. */
  latencyMs: z.number().nullable(),
  /** 'return': of the opposite direction, the only one that the tool of a calling sender reports. */
  latencyOf: z.enum(['stream', 'return']),
  encryption: z.enum(['', 'none', 'AES-128', 'AES-192', 'AES-256']),
  /** Of the peer's SRT library, as '1.5.4'; a calling end does not get it. */
  srtVersion: z.string().max(20),
})
export type PeerFacts = z.infer<typeof PeerFacts>

export const Observed = z.object({
  /** Since when the far end is there, or gone, or has never come. */
  peerSinceMs: z.number(),
  /** Null while no peer is connected, or nothing was reported of it. */
  peerFacts: PeerFacts.nullable().catch(null),
  media: MediaState,
  mediaSinceMs: z.number(),
  warning: MediaWarning,
  /** Since when there is this warning, or none. */
  warningSinceMs: z.number(),
  /**
   * The threshold that the figure of the warning has passed, in percent, filled in by the API; null or
   * absent where the warning has no figure.
   */
  warningThresholdPercent: z.number().nullable().optional(),
  /**
   * All that the host finds, worst first, for a warning by other thresholds than the default ones; a
   * figure once for each step that it has passed. Absent of an older agent, and from what a browser gets.
   */
  findings: z.array(MediaFinding).max(40).optional(),
})
export type Observed = z.infer<typeof Observed>
