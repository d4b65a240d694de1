/** An alarm: something needs a person, since when, why, and who looks after it. */
import { z } from 'zod'
import { AlarmHead } from './open-alarms.schema.ts'

const Acknowledgement = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  by: z.string(),
  note: z.string(),
})

export const Alarm = AlarmHead.extend({
  _id: z.string(),
  /** ISO 8601, UTC. */
  raisedAt: z.string(),
  /** Null while it is open. */
  clearedAt: z.string().nullable(),
  acknowledged: Acknowledgement.nullable(),
  /** ISO 8601, UTC; null: not muted. */
  mutedUntil: z.string().nullable(),
  /** Until when its object is in maintenance, ISO 8601, UTC; null: it is not. */
  maintenanceUntil: z.string().nullable(),
  /** The alarm that causes this one; null for a first cause. */
  causedBy: z.string().nullable(),
  /** Where its object is found; '' where that is not known, or does not apply. */
  serverId: z.string(),
  groupId: z.string(),
  /** Of a feeder its encoder, of an output its input. */
  ownerId: z.string(),
})
export type Alarm = z.infer<typeof Alarm>

export const NOTE_CHARACTERS = 500
/** Longer is a maintenance window, or an object that is to be disabled. */
export const MUTE_HOURS_AT_MOST = 7 * 24
