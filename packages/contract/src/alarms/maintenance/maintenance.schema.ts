/** A maintenance window: while it lasts, alarms of what it covers call nobody. */
import { z } from 'zod'
import { ObservedKind } from '../../fleet/observed-kind.schema.ts'
import { Id, Title, wholeNumber } from '../../text.schema.ts'

/** A group stands for all that belongs to no other, a server for all that runs on it. */
export const CoveredKind = z.enum(['group', ...ObservedKind.options])
export type CoveredKind = z.infer<typeof CoveredKind>

export const Covered = z.strictObject({ kind: CoveredKind, id: Id })
export type Covered = z.infer<typeof Covered>

/** In the order of a week, as `Date.getUTCDay` counts from Sunday. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export const Weekday = z.enum(WEEKDAYS)
export type Weekday = z.infer<typeof Weekday>

const Moment = z.iso.datetime('must be a time in UTC, such as 2026-11-20T08:00:00Z.')
/** Longer is a window of its own for each day, or an object that is to be disabled. */
const WEEKLY_HOURS_AT_MOST = 24

/** All times are UTC. */
export const WindowTimes = z
  .discriminatedUnion('repeats', [
    z.strictObject({ repeats: z.literal('once'), from: Moment, until: Moment }),
    z.strictObject({
      repeats: z.literal('weekly'),
      days: z.array(Weekday).min(1, 'must have at least one day.').max(WEEKDAYS.length),
      startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 02:30.'),
      minutes: wholeNumber(
        1,
        WEEKLY_HOURS_AT_MOST * 60,
        `must be 1 minute to ${WEEKLY_HOURS_AT_MOST} hours.`,
      ),
    }),
  ])
  .refine(
    (times) =>
      // Of what is no time another fault is said.
      times.repeats === 'weekly' || !(Date.parse(times.until) <= Date.parse(times.from)),
    {
      path: ['until'],
      message: 'must be after the start.',
    },
  )
export type WindowTimes = z.output<typeof WindowTimes>

export const MaintenanceDraft = z.strictObject({
  /** What is done, for those who wonder why an alarm is quiet. */
  title: Title,
  covers: Covered,
  times: WindowTimes,
})
export type MaintenanceDraft = z.output<typeof MaintenanceDraft>

export const MaintenanceWindow = z.object({
  _id: z.string(),
  id: z.string(),
  version: z.number(),
  title: z.string(),
  /** `title`: '' when it was removed. */
  covers: z.object({ kind: CoveredKind, id: z.string(), title: z.string() }),
  times: WindowTimes,
  /** ISO 8601, UTC; null: not now. */
  activeUntil: z.string().nullable(),
  /** When it begins next; null: never again. */
  nextFrom: z.string().nullable(),
})
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

/** Each API process holds all of them in memory. */
export const WINDOWS_AT_MOST = 1000
