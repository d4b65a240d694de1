/** What has happened to an encoder, feeder, input, output, channel or server, and when. */
import { z } from 'zod'
import { Sentence } from '../sentence.schema.ts'

/**
 * - up, down: runs, or does not although it is wanted; of a server: answers, or does not
 * - off: not wanted any more, and not running
 * - unreachable, reachable: the host of a program, or the media server of a channel
 * - connected, disconnected: the peer of a link
 * - restarted: the program ended unexpectedly and was started again
 * - source: the channel takes its picture from another source
 * - air: on air begins or ends
 * - schedule: a schedule was carried out, or was not
 * - saved, command: by a person, from the record of activity
 * - alarm: raised, cleared or acknowledged
 * - unwatched: Trunkline itself did not run
 * - omitted: more events than are kept of one object
 */
export const EVENT_KINDS = [
  'up',
  'down',
  'off',
  'unreachable',
  'reachable',
  'connected',
  'disconnected',
  'restarted',
  'source',
  'air',
  'schedule',
  'saved',
  'command',
  'alarm',
  'unwatched',
  'omitted',
] as const
export const EventKind = z.enum(EVENT_KINDS)
export type EventKind = z.infer<typeof EventKind>

export const TimelineEvent = z.object({
  id: z.string(),
  /** ISO 8601, UTC: when it happened, as observed by whoever observed it; the end of a span. */
  at: z.string(),
  kind: EventKind,
  /** Where a span of time began: unwatched, omitted; else since when the state holds. Null: not known. */
  since: z.string().nullable(),
  /**
   * reachable: up, down or off. restarted: unexpected restarts since the last command. source: its
   * place in the list, from 1. alarm: raised, cleared or acknowledged. air: on or off. schedule: its command and how it went, such as 'stop missed'. omitted: how many events. command: start, stop, restart, enable or disable.
   */
  state: z.string(),
  /** Why, a sentence; '' where it is not known, or for admins alone to read. */
  cause: Sentence,
  /** The call of a person, such as 'encoders.update'; '' for what nobody did. */
  call: z.string(),
  result: z.enum(['done', 'failed']),
  /** Who did it; '' for nobody, and for those who may not read the record of activity. */
  actor: z.string(),
})
export type TimelineEvent = z.infer<typeof TimelineEvent>

/** Of a link on a day, by UTC. */
export const DayCounts = z.object({
  packets: z.number(),
  /** Null of feeders and outputs, as is `droppedPackets`: a sending end cannot know it. */
  lostPackets: z.number().nullable(),
  retransmittedPackets: z.number(),
  /** Came too late, or not at all. */
  droppedPackets: z.number().nullable(),
})
export type DayCounts = z.infer<typeof DayCounts>

/** Of one day, in milliseconds. What is missing to the length of the day was not wanted. */
export const DayAvailability = z.object({
  /** When the day begins. */
  fromMs: z.number(),
  /** When it ends; now, of today. */
  toMs: z.number(),
  upMs: z.number(),
  /** Wanted, and not up. */
  downMs: z.number(),
  /** Nobody knows: the host was unreachable, or nobody watched. */
  unknownMs: z.number(),
  /** What a link counted; null of what is no link, of days that are not those of UTC, and where nothing was counted. */
  counted: DayCounts.nullable(),
})
export type DayAvailability = z.infer<typeof DayAvailability>

/** Share of the time in which it was wanted and watched; null where there was none. */
export function availabilityOf({
  upMs,
  downMs,
}: Pick<DayAvailability, 'upMs' | 'downMs'>): number | null {
  return upMs + downMs === 0 ? null : upMs / (upMs + downMs)
}
