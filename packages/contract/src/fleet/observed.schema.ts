/**
 * What a host sees of a running program beside the process itself: the far end, the media and a
 * warning, each with the time at which it became so. The host keeps the times, also over a restart
 * of its agent: an age that is shown is the age of what is said.
 */
import { z } from 'zod'

/** waiting: nothing has moved since the process started; silent: something did, and stopped. */
export const MediaState = z.enum(['waiting', 'moving', 'silent'])
export type MediaState = z.infer<typeof MediaState>

/** slow: below real time; losing: packets are lost for good; path-silent: one of several ways is dead. */
export const MediaWarning = z.enum(['', 'slow', 'losing', 'path-silent'])
export type MediaWarning = z.infer<typeof MediaWarning>

export const Observed = z.object({
  /** Since when the far end is there, or gone, or has never come. */
  peerSinceMs: z.number(),
  media: MediaState,
  mediaSinceMs: z.number(),
  warning: MediaWarning,
  /** Since when there is this warning, or none. */
  warningSinceMs: z.number(),
})
export type Observed = z.infer<typeof Observed>
