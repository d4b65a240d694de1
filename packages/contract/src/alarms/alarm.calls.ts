import { z } from 'zod'
import { ObservedKind } from '../fleet/observed-kind.schema.ts'
import { Page, pageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById } from '../by-id.ts'
import { route } from '../route.ts'
import { Id, optionalLine, unlessEmpty, Version, wholeNumber } from '../text.schema.ts'
import { Alarm, MUTE_HOURS_AT_MOST, NOTE_CHARACTERS } from './alarm.schema.ts'
import { Severity } from './open-alarms.schema.ts'
import { success } from '../reply.schema.ts'

const Any = z.literal('')
const ObjectId = z.string().max(64)
export const HISTORY_AT_ONCE = 200

const ATTENTIONS = ['unacknowledged', 'quiet'] as const
/** unacknowledged: and not muted; quiet: acknowledged, or muted for now. */
const Attention = z.enum(ATTENTIONS)

export const ALARM_SORTS = ['severity', 'title', 'since'] as const

/**
 * Open alarms: worst first, then the newest; those that are acknowledged or muted come last. By
 * 'severity' the worst are first, too, acknowledged or not. Every filter is '' for any.
 */
export const listAlarms = route({
  name: 'alarms.list',
  method: 'GET',
  path: '/api/alarm',
  action: 'seeAlarms',
  query: z.strictObject({
    /** '' for first causes; else what this alarm causes. */
    causedBy: z.union([Id, Any]).default(''),
    severity: z.union([Severity, Any]).default(''),
    kind: z.union([ObservedKind, Any]).default(''),
    attention: z.union([Attention, Any]).default(''),
    /** Title or sentence. */
    searchText: SearchText,
    page: Page,
    rowsPerPage: pageSize(24),
    sort: sortBy(ALARM_SORTS),
  }),
  reply: success({ data: z.array(Alarm), total: z.number() }),
})

/**
 * Open and cleared alarms, the newest first; of one object where it is named. `next` of an answer,
 * given as `before`, answers those behind it; '' at the end.
 */
export const listAlarmHistory = route({
  name: 'alarms.history',
  method: 'GET',
  path: '/api/alarm/history',
  action: 'seeAlarms',
  query: z.strictObject({
    kind: z.union([ObservedKind, Any]).default(''),
    id: ObjectId.default(''),
    severity: z.union([Severity, Any]).default(''),
    before: z.string().max(100).default(''),
    limit: unlessEmpty(
      wholeNumber(1, HISTORY_AT_ONCE, `must be 1 to ${HISTORY_AT_ONCE} alarms.`).default(50),
    ),
  }),
  reply: success({ data: z.array(Alarm), next: z.string() }),
})

const changed = success({ data: Alarm })

export const acknowledgeAlarm = route({
  name: 'alarms.acknowledge',
  method: 'POST',
  path: '/api/alarm/:id/acknowledge',
  action: 'acknowledgeAlarm',
  params: ById,
  body: z.strictObject({ note: optionalLine(NOTE_CHARACTERS).default(''), version: Version }),
  reply: changed,
})

export const ALARMS_AT_ONCE = 200

/** Those that somebody else changed, or that were cleared meanwhile, are left as they are and named. */
export const acknowledgeAlarms = route({
  name: 'alarms.acknowledgeSeveral',
  method: 'POST',
  path: '/api/alarm/acknowledge',
  action: 'acknowledgeAlarm',
  body: z.strictObject({
    alarms: z
      .array(z.strictObject({ id: Id, version: Version }))
      .min(1)
      .max(ALARMS_AT_ONCE),
    note: optionalLine(NOTE_CHARACTERS).default(''),
  }),
  reply: success({
    data: z.object({ acknowledged: z.array(z.string()), left: z.array(z.string()) }),
  }),
})

export const unacknowledgeAlarm = route({
  name: 'alarms.unacknowledge',
  method: 'POST',
  path: '/api/alarm/:id/unacknowledge',
  action: 'acknowledgeAlarm',
  params: ById,
  body: z.strictObject({ version: Version }),
  reply: changed,
})

/** Counted as quiet until then, by everybody. */
export const muteAlarm = route({
  name: 'alarms.mute',
  method: 'POST',
  path: '/api/alarm/:id/mute',
  action: 'acknowledgeAlarm',
  params: ById,
  body: z.strictObject({
    minutes: wholeNumber(
      1,
      MUTE_HOURS_AT_MOST * 60,
      `must be 1 minute to ${MUTE_HOURS_AT_MOST} hours.`,
    ),
    version: Version,
  }),
  reply: changed,
})

export const unmuteAlarm = route({
  name: 'alarms.unmute',
  method: 'POST',
  path: '/api/alarm/:id/unmute',
  action: 'acknowledgeAlarm',
  params: ById,
  body: z.strictObject({ version: Version }),
  reply: changed,
})
