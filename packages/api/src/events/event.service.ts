/** The timeline of an object and its availability, for those who may read the object itself. */
import {
  EVENT_KINDS,
  type EventKind,
  type DayCounts,
  type TimelineEvent,
} from '@trunkline/contract/events/event.schema'
import type { listEvents, readAvailability } from '@trunkline/contract/events/event.calls'
import { MINUTE_MS } from '@trunkline/contract/durations'
import { isConsolePart } from '@trunkline/contract/alarms/console-parts'
import { isAdminLevel } from '@trunkline/contract/roles'
import { mayDo } from '@trunkline/contract/role-table'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { ObjectKey } from '../fleet/object-key.ts'
import * as alarmService from '../alarms/alarm.service.ts'
import * as channelService from '../channels/channel.service.ts'
import type { Context } from '../context.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import { dayOf } from '../links/history/day-counter.ts'
import * as linkDayStore from '../links/history/link-day.store.ts'
import { INPUT } from '../links/inputs/input-kind.service.ts'
import * as linkService from '../links/link.service.ts'
import { OUTPUT } from '../links/outputs/output-kind.service.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import { availabilityByDay, daysUntil } from './availability.rules.ts'
import { DEED_CALLS, eventOfDeed } from './deed.rules.ts'
import type { ObjectEvent } from './event.rules.ts'
import * as eventStore from './event.store.ts'

type Asked = QueryOf<typeof listEvents>

/** Other events may have the same millisecond as the last of a page: so many more are read. */
const SAME_TIME = EVENT_KINDS.length + 20

export async function list(
  ctx: Context,
  actor: Actor,
  asked: Asked,
): Promise<ReplyOf<typeof listEvents>> {
  await assertMaySee(ctx, actor, asked)
  const kinds = asked.show.length === 0 ? EVENT_KINDS : asked.show
  const until = momentOf(asked.before)
  const filter = {
    kinds,
    from: asked.from,
    to: asked.to,
    until,
    limit: asked.limit + SAME_TIME,
  }
  const found = await Promise.all([
    events(ctx, actor, asked, filter),
    gaps(ctx, asked, filter),
    deeds(ctx, actor, asked, filter),
    alarmEvents(ctx, asked, filter),
  ])
  const inOrder = found
    .flat()
    .filter((event) => asked.before === '' || placeOf(event) < asked.before)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
  const data = inOrder.slice(0, asked.limit)
  const last = data.at(-1)
  const next = inOrder.length > asked.limit && last !== undefined ? placeOf(last) : ''
  return { status: true, data, next }
}

/** Sorts events: by time, then by id. */
function placeOf({ at, id }: Pick<TimelineEvent, 'at' | 'id'>): string {
  return `${at} ${id}`
}

function momentOf(before: string): string {
  if (before === '') return ''
  const at = before.split(' ', 1)[0] ?? ''
  if (Number.isNaN(Date.parse(at))) throw invalid('before', 'must be the next of an answer.')
  return new Date(at).toISOString()
}

async function events(
  ctx: Context,
  actor: Actor,
  object: ObjectKey,
  filter: eventStore.EventFilter,
): Promise<TimelineEvent[]> {
  const found = await eventStore.list(ctx.db, object, filter)
  // Why a host is away is for admins.
  const hidesCause = object.kind === 'server' && !mayDo(actor.role, 'readFault')
  return found.map((event) => wireEvent(hidesCause ? { ...event, cause: '' } : event))
}

/** Since the first event of the object. */
async function gaps(
  ctx: Context,
  object: ObjectKey,
  filter: eventStore.EventFilter,
): Promise<TimelineEvent[]> {
  if (!filter.kinds.includes('unwatched')) return []
  const first = await eventStore.firstAt(ctx.db, object)
  if (first === null) return []
  const from = filter.from > first ? filter.from : first
  return (await eventStore.listGaps(ctx.db, { ...filter, from })).map(wireEvent)
}

/** At most three of each alarm; those of one object follow each other. */
async function alarmEvents(
  ctx: Context,
  { kind, id }: ObjectKey,
  { kinds, from, to, until, limit }: eventStore.EventFilter,
): Promise<TimelineEvent[]> {
  if (!kinds.includes('alarm')) return []
  const found = await alarmService.eventsOf(ctx, { kind, id }, until, limit)
  return found.filter(
    ({ at }) =>
      (from === '' || at >= from) && (to === '' || at < to) && (until === '' || at <= until),
  )
}

async function deeds(
  ctx: Context,
  actor: Actor,
  object: ObjectKey,
  filter: eventStore.EventFilter,
): Promise<TimelineEvent[]> {
  // The record of activity names the encoder of a feeder, never the feeder.
  if (object.kind === 'feeder') return []
  const asksFor = (kind: EventKind) => filter.kinds.includes(kind)
  if (!asksFor('saved') && !asksFor('command')) return []
  const calls =
    asksFor('saved') && asksFor('command')
      ? null
      : { are: asksFor('command') ? ('these' as const) : ('others' as const), names: DEED_CALLS }
  const found = await eventStore.listDeeds(ctx.db, object, filter, calls)
  const isAdmin = mayDo(actor.role, 'readAudit')
  return found.map((deed) => {
    const event = eventOfDeed(deed)
    return isAdmin ? event : { ...event, actor: '', cause: '' }
  })
}

function wireEvent({ atMs, sinceMs, kind, state, cause }: ObjectEvent): TimelineEvent {
  return {
    id: kind,
    at: new Date(atMs).toISOString(),
    kind,
    since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    state,
    cause,
    call: '',
    result: 'done',
    actor: '',
  }
}

const RUN_KINDS = ['up', 'down', 'off', 'unreachable', 'reachable'] as const
/** An object with more in a month is flapping: its older state counts as not known. */
const EVENTS_AT_MOST = 20_000

export async function availability(
  ctx: Context,
  actor: Actor,
  asked: QueryOf<typeof readAvailability>,
): Promise<ReplyOf<typeof readAvailability>> {
  await assertMaySee(ctx, actor, asked)
  const days = daysUntil(ctx.clock(), asked.days, asked.aheadOfUtc * MINUTE_MS)
  const from = new Date(days.at(-1)?.fromMs ?? 0).toISOString()
  const any = { from: '', to: '', until: '', limit: EVENTS_AT_MOST }
  const [during, [before], omitted, unwatched] = await Promise.all([
    eventStore.list(ctx.db, asked, { ...any, kinds: RUN_KINDS, from }),
    eventStore.list(ctx.db, asked, { ...any, kinds: RUN_KINDS, to: from, limit: 1 }),
    eventStore.list(ctx.db, asked, { ...any, kinds: ['omitted'], from }),
    eventStore.listGaps(ctx.db, { ...any, kinds: ['unwatched'], from }),
  ])
  const isWhole = during.length < EVENTS_AT_MOST
  const earlier = isWhole && before !== undefined ? [before] : []
  const byDay = availabilityByDay(
    {
      kind: asked.kind,
      events: [...earlier, ...during.toReversed()],
      gaps: [...omitted, ...unwatched],
      before: isWhole ? 'off' : 'unknown',
    },
    days,
  )
  const counts = await countsByDay(ctx, asked, days.at(-1)?.fromMs ?? 0)
  const data = byDay.map((day) => ({ ...day, counted: counts.get(day.fromMs) ?? null }))
  return { status: true, data }
}

/** By when the day begins: those of UTC alone, as they are kept. */
async function countsByDay(
  ctx: Context,
  { kind, id }: ObjectKey,
  fromMs: number,
): Promise<ReadonlyMap<number, DayCounts>> {
  if (kind !== 'feeder' && kind !== 'input' && kind !== 'output') return new Map()
  const rows = await linkDayStore.list(ctx.db, programIdOf(kind, id), dayOf(fromMs))
  const isReceiver = kind === 'input'
  return new Map(
    rows.map(({ day, packets, lost, resent, dropped }) => [
      Date.parse(day),
      {
        packets,
        lostPackets: isReceiver ? lost : null,
        retransmittedPackets: resent,
        droppedPackets: isReceiver ? dropped : null,
      },
    ]),
  )
}

/** As whoever reads the object itself: 403 by role, 404 for what is not there or other people's. */
export async function assertMaySee(
  ctx: Context,
  actor: Actor,
  { kind, id }: ObjectKey,
): Promise<void> {
  switch (kind) {
    case 'encoder':
      await encoderService.load(ctx, actor, id)
      return
    case 'feeder': {
      const wanted = ctx.programs.wanted(programIdOf('feeder', id))
      if (wanted === undefined) throw notFound('feeder')
      encoderService.feederOf(await encoderService.load(ctx, actor, wanted.ownerId), id)
      return
    }
    case 'input':
    case 'output':
      if (!mayDo(actor.role, 'seeInputs')) throw forbidden()
      if (kind === 'input') await linkService.load(ctx.db, actor, INPUT, id)
      else await linkService.load(ctx.db, actor, OUTPUT, id)
      return
    case 'channel':
      await channelService.load(ctx, actor, id)
      return
    case 'server':
      await serverService.load(ctx, actor, id)
      return
    case 'console':
      if (!isAdminLevel(actor.role)) throw forbidden()
      if (!isConsolePart(id)) throw notFound('part of the console')
  }
}
