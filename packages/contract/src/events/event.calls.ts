import { z } from 'zod'
import { ObservedKind, SiteKind } from '../fleet/observed-kind.schema.ts'
import { Moment } from '../moment.schema.ts'
import { route } from '../route.ts'
import { unlessEmpty, wholeNumber } from '../text.schema.ts'
import { DayAvailability, EventKind, TimelineEvent } from './event.schema.ts'
import { success } from '../reply.schema.ts'

/** A feeder goes by its name. */
const ObjectId = z.string().min(1).max(64)

export const EVENTS_AT_ONCE = 500

/**
 * The timeline of one object, newest first. `next` of an answer, given as `before`, answers the
 * events behind it; '' at the end.
 * Right by kind, as for reading the object itself: the service decides.
 */
export const listEvents = route({
  name: 'events.list',
  method: 'GET',
  path: '/api/event',
  action: 'readFeeder',
  query: z.strictObject({
    kind: ObservedKind,
    id: ObjectId,
    /** Kinds of events, separated by commas; '' for any. */
    show: z
      .string()
      .max(300)
      .default('')
      .transform((text) => (text === '' ? [] : text.split(',')))
      .pipe(z.array(EventKind)),
    /** From this moment on, and before that one; '' for any. */
    from: Moment,
    to: Moment,
    before: z.string().max(100).default(''),
    limit: unlessEmpty(
      wholeNumber(1, EVENTS_AT_ONCE, `must be 1 to ${EVENTS_AT_ONCE} events.`).default(50),
    ),
  }),
  reply: success({ data: z.array(TimelineEvent), next: z.string() }),
})

const AVAILABILITY_DAYS = 31
const FARTHEST_MINUTES = 14 * 60

/**
 * Availability of one object per day, the newest day first. A day begins at midnight of the zone
 * that is so many minutes ahead of UTC.
 */
export const readAvailability = route({
  name: 'events.availability',
  method: 'GET',
  path: '/api/event/availability',
  action: 'readFeeder',
  query: z.strictObject({
    kind: SiteKind,
    id: ObjectId,
    days: unlessEmpty(
      wholeNumber(1, AVAILABILITY_DAYS, `must be 1 to ${AVAILABILITY_DAYS} days.`).default(7),
    ),
    aheadOfUtc: unlessEmpty(
      wholeNumber(-FARTHEST_MINUTES, FARTHEST_MINUTES, 'must be minutes ahead of UTC.').default(0),
    ),
  }),
  reply: success({ data: z.array(DayAvailability) }),
})
