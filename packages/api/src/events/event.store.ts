import type { EventKind } from '@trunkline/contract/events/event.schema'
import { sql, type SqlBool } from 'kysely'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import type { ObjectKey } from '../fleet/object-key.ts'
import type { Db } from '../db/open.ts'
import type { EventRow, EventStateRow } from '../db/schema.ts'
import { giveWay, type InParts } from '../in-slices.ts'
import type { Deed } from './deed.rules.ts'
import type { Facet, Known, ObjectEvent } from './event.rules.ts'
import type { Pending } from './event-recorder.ts'

/** One statement for each so many, as both databases limit how many values one may have. */
const ROWS_AT_ONCE = 100

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Writes the values that are new to the database, and their events. A value that another process has
 * written already, or that is older than the one that is there, changes nothing.
 */
export async function write(db: Db, pending: readonly Pending[]): Promise<void> {
  for (const round of roundsOf(pending)) {
    for (let from = 0; from < round.length; from += ROWS_AT_ONCE) {
      await writeSome(db, round.slice(from, from + ROWS_AT_ONCE))
    }
  }
}

/**
 * Each round has every facet of an object at most once, because a statement changes a row once. Rounds
 * are sorted: two processes that write in different orders could block each other.
 */
function roundsOf(pending: readonly Pending[]): Pending[][] {
  const rounds: Pending[][] = []
  const counts = new Map<string, number>()
  for (const each of pending) {
    const key = facetKey(rowOf(each))
    const at = counts.get(key) ?? 0
    counts.set(key, at + 1)
    const round = rounds[at] ?? []
    rounds[at] = round
    round.push(each)
  }
  return rounds.map((round) => round.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
}

function orderOf(pending: Pending): string {
  return facetKey(rowOf(pending))
}

function facetKey(row: Pick<EventStateRow, 'object_kind' | 'object_id' | 'facet'>): string {
  return `${row.object_kind} ${row.object_id} ${row.facet}`
}

function rowOf({ object, facet, value, atMs }: Pending): EventStateRow {
  return { object_kind: object.kind, object_id: object.id, facet, value, at: timeText(atMs) }
}

async function writeSome(db: Db, some: readonly Pending[]): Promise<void> {
  const taken = await db
    .insertInto('event_states')
    .values(some.map(rowOf))
    .onConflict((conflict) =>
      conflict
        .columns(['object_kind', 'object_id', 'facet'])
        .doUpdateSet({ value: sql.ref('excluded.value'), at: sql.ref('excluded.at') })
        .where(
          sql<SqlBool>`excluded.value <> event_states.value and excluded.at > event_states.at`,
        ),
    )
    .returning(['object_kind', 'object_id', 'facet'])
    .execute()
  const isTaken = new Set(taken.map(facetKey))
  const rows = some.flatMap((each) => {
    if (each.event === null || !isTaken.has(facetKey(rowOf(each)))) return []
    return [eventRow(each.object, each.event)]
  })
  await insert(db, rows)
}

function eventRow(object: { kind: string; id: string }, event: ObjectEvent): EventRow {
  return {
    object_kind: object.kind,
    object_id: object.id,
    at: timeText(event.atMs),
    kind: event.kind,
    since_at: event.sinceMs === null ? null : timeText(event.sinceMs),
    state: event.state,
    cause: event.cause,
  }
}

async function insert(db: Db, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('events')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['object_kind', 'object_id', 'at', 'kind']).doNothing(),
    )
    .execute()
}

/** Of what is no change of a state. Another of that kind in the same millisecond moves it behind itself. */
export async function record(db: Db, object: ObjectKey, event: ObjectEvent): Promise<void> {
  for (let atMs = event.atMs; ; atMs += 1) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('events')
      .values(eventRow(object, { ...event, atMs }))
      .onConflict((conflict) =>
        conflict.columns(['object_kind', 'object_id', 'at', 'kind']).doNothing(),
      )
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows > 0n) return
  }
}

/** Of no object: it concerns every one of them. */
const EVERY = { kind: '', id: '' }

export async function insertGap(db: Db, fromMs: number, toMs: number): Promise<void> {
  const gap = { kind: 'unwatched', atMs: toMs, sinceMs: fromMs, state: '', cause: '' } as const
  await insert(db, [eventRow(EVERY, gap)])
}

export interface KnownFacet {
  object: ObjectKey
  facet: Facet
  known: Known
}

/** The last known values of all objects. */
export async function* readKnown(db: Db): InParts<KnownFacet> {
  let last: EventStateRow | undefined
  for (;;) {
    const rows: EventStateRow[] = await statesBehind(db, last)
    yield rows.map((row) => ({
      object: { kind: row.object_kind as ObservedKind, id: row.object_id },
      facet: row.facet as Facet,
      known: { value: row.value, atMs: Date.parse(row.at) },
    }))
    last = rows.at(-1)
    if (last === undefined || rows.length < STATES_AT_ONCE) return
    await giveWay()
  }
}

const STATES_AT_ONCE = 500

async function statesBehind(db: Db, last: EventStateRow | undefined): Promise<EventStateRow[]> {
  let wanted = db.selectFrom('event_states').selectAll()
  if (last !== undefined) {
    wanted = wanted.where(
      sql<SqlBool>`(object_kind, object_id, facet) > (${last.object_kind}, ${last.object_id}, ${last.facet})`,
    )
  }
  return wanted
    .orderBy('object_kind')
    .orderBy('object_id')
    .orderBy('facet')
    .limit(STATES_AT_ONCE)
    .execute()
}

/** An object is gone: a later one of the same name begins anew. */
export async function forget(db: Db, { kind, id }: ObjectKey): Promise<void> {
  const tables =
    kind === 'feeder' ? (['event_states', 'events'] as const) : (['event_states'] as const)
  for (const table of tables) {
    await db.deleteFrom(table).where('object_kind', '=', kind).where('object_id', '=', id).execute()
  }
}

export interface EventFilter {
  kinds: readonly EventKind[]
  /** ISO with milliseconds; '' for any. From this moment on, and before that one. */
  from: string
  to: string
  /** Not later than this moment; '' for any. */
  until: string
  limit: number
}

/** Newest first. */
export async function list(db: Db, object: ObjectKey, filter: EventFilter): Promise<ObjectEvent[]> {
  return listOf(db, object, filter)
}

/** Times in which nobody watched, newest first. */
export async function listGaps(db: Db, filter: EventFilter): Promise<ObjectEvent[]> {
  return listOf(db, EVERY, filter)
}

async function listOf(
  db: Db,
  { kind, id }: { kind: string; id: string },
  { kinds, from, to, until, limit }: EventFilter,
): Promise<ObjectEvent[]> {
  if (kinds.length === 0) return []
  let wanted = db
    .selectFrom('events')
    .selectAll()
    .where('object_kind', '=', kind)
    .where('object_id', '=', id)
    .where('kind', 'in', kinds)
  if (from !== '') wanted = wanted.where('at', '>=', from)
  if (to !== '') wanted = wanted.where('at', '<', to)
  if (until !== '') wanted = wanted.where('at', '<=', until)
  const rows = await wanted.orderBy('at', 'desc').orderBy('kind', 'desc').limit(limit).execute()
  return rows.map(storedEvent)
}

function storedEvent(row: EventRow): ObjectEvent {
  return {
    atMs: Date.parse(row.at),
    kind: row.kind as EventKind,
    sinceMs: row.since_at === null ? null : Date.parse(row.since_at),
    state: row.state,
    cause: row.cause,
  }
}

/** When the first event of an object was; null for none. */
export async function firstAt(db: Db, { kind, id }: ObjectKey): Promise<string | null> {
  const row = await db
    .selectFrom('events')
    .select('at')
    .where('object_kind', '=', kind)
    .where('object_id', '=', id)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** What people did to the object, from the record of activity, newest first; what was refused is left out. */
export async function listDeeds(
  db: Db,
  { kind, id }: ObjectKey,
  { from, to, until, limit }: Omit<EventFilter, 'kinds'>,
  calls: { are: 'these' | 'others'; names: readonly string[] } | null,
): Promise<Deed[]> {
  let wanted = db
    .selectFrom('audit')
    .select(['id', 'at', 'actor_name', 'call', 'result', 'reason', 'after'])
    .where('object_kind', '=', kind)
    .where('object_id', '=', id)
    .where('result', 'in', ['done', 'failed'])
    // They are events of the alarm, or of the schedule.
    .where('call', 'not like', 'alarms.%')
    .where('call', '<>', 'schedules.run')
  if (calls !== null)
    wanted = wanted.where('call', calls.are === 'these' ? 'in' : 'not in', calls.names)
  if (from !== '') wanted = wanted.where('at', '>=', from)
  if (to !== '') wanted = wanted.where('at', '<', to)
  if (until !== '') wanted = wanted.where('at', '<=', until)
  return wanted.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/**
 * Removes the oldest events before that moment (ISO): `most` of them, and those of the same
 * millisecond as the last. Answers how many.
 */
export async function removeBefore(db: Db, before: string, most: number): Promise<number> {
  const oldest = await db
    .selectFrom('events')
    .select('at')
    .where('at', '<', before)
    .orderBy('at')
    .limit(most)
    .execute()
  const last = oldest.at(-1)
  if (last === undefined) return 0
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('at', '<=', last.at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** This process is alive; an ended one says so. */
export async function noteWatcher(
  db: Db,
  watcher: { id: string; atMs: number; hasEnded: boolean },
): Promise<void> {
  const values = { seen_at: timeText(watcher.atMs), has_ended: watcher.hasEnded ? 1 : 0 } as const
  await db
    .insertInto('event_watchers')
    .values({ id: watcher.id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

export interface Watcher {
  seenMs: number
  hasEnded: boolean
}

export async function watchers(db: Db): Promise<Watcher[]> {
  const rows = await db.selectFrom('event_watchers').selectAll().execute()
  return rows.map((row) => ({ seenMs: Date.parse(row.seen_at), hasEnded: row.has_ended === 1 }))
}

/** Of processes that were last alive before that moment. */
export async function forgetWatchers(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('event_watchers').where('seen_at', '<', timeText(beforeMs)).execute()
}
