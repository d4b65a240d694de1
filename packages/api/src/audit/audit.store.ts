import { sql, type SqlBool } from 'kysely'
import { OBJECT_KINDS, type ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { matches } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { countRows } from '../db/queries/row-counts.ts'
import { readPage } from '../db/page-rows.ts'
import { prepared } from '../db/queries/prepared.ts'
import type { AuditRow } from '../db/schema.ts'
import { searchText } from '../db/search.ts'
import { newTimedId } from '../id.ts'
import { giveWay, mapInSlices } from '../in-slices.ts'

export type AuditLine = Omit<AuditRow, 'id' | 'search' | 'before' | 'after'> & {
  before: unknown
  after: unknown
}
export type StoredLine = AuditLine & { id: string }

/** '' asks for any. */
export interface AuditFilter {
  search: string
  actorId: string
  objectKind: ObjectKind | ''
  objectId: string
  result: AuditRow['result'] | ''
  /** ISO with milliseconds; from this moment on, and before that one. */
  from: string
  to: string
  /** Zero based; `rows` of 0 means all. */
  page: number
  rows: number
}

/** Lines are added, and removed when they are too old; nothing changes one. */
export async function insert(db: Db, line: AuditLine): Promise<void> {
  await added(db, {
    ...line,
    id: newTimedId(Date.parse(line.at)),
    search: searchText([line.actor_name, line.token, line.object_title, line.call, line.reason]),
    before: encode(line.before),
    after: encode(line.after),
  })
}

const added = prepared((db, row: { [C in keyof AuditRow]: AuditRow[C] }) =>
  db.insertInto('audit').values(row),
)

function encode(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Newest first. */
export async function list(
  db: Db,
  filter: AuditFilter,
): Promise<{ lines: StoredLine[]; total: number }> {
  let total = 0
  const counted: { stretch: Stretch; from: number; count: number }[] = []
  for (const stretch of await stretchesOf(db, filter)) {
    if (counted.length > 0) await giveWay()
    const isWhole = filter.search.trim() === '' && stretch.last !== null
    const count = isWhole ? STRETCH_LINES : await countIn(db, filter, stretch)
    counted.push({ stretch, from: total, count })
    total += count
  }
  const rows = await readPage(filter, async (limit, offset) => {
    const parts: AuditRow[] = []
    for (const { stretch, from, count } of counted) {
      const skipped = Math.max(0, offset - from)
      const wanted = Math.min(offset + limit - Math.max(from, offset), count - skipped)
      if (wanted > 0) parts.push(...(await readRows(db, filter, stretch, wanted, skipped)))
    }
    return parts
  })
  return { lines: await mapInSlices(rows, decoded), total }
}

export type Place = Pick<AuditRow, 'at' | 'id'>

/** Of the lines from newest to oldest: what is older than `after`, down to and with `last`. */
export interface Stretch {
  after: Place | null
  last: Place | null
}

export const WHOLE: Stretch = { after: null, last: null }

/** SQLite looks through so many lines in a few milliseconds, and in our own thread. */
const STRETCH_LINES = 10_000

/** A search looks at each line, and a total counts them: in stretches, between which others have their turn. */
async function stretchesOf(db: Db, filter: AuditFilter): Promise<Stretch[]> {
  const all: AuditFilter = { ...filter, search: '' }
  const stretches: Stretch[] = []
  let after: Place | null = null
  for (;;) {
    const last: Place | undefined = await ordered(within(filtered(db, all), { after, last: null }))
      .select(['at', 'id'])
      .offset(STRETCH_LINES - 1)
      .limit(1)
      .executeTakeFirst()
    stretches.push({ after, last: last ?? null })
    if (last === undefined) return stretches
    after = last
    await giveWay()
  }
}

async function countIn(db: Db, filter: AuditFilter, stretch: Stretch): Promise<number> {
  return countRows(within(filtered(db, filter), stretch))
}

async function readRows(
  db: Db,
  filter: AuditFilter,
  stretch: Stretch,
  limit: number,
  offset: number,
): Promise<AuditRow[]> {
  const page = pageOf(db, filter, limit, offset, stretch)
  return ordered(db.selectFrom('audit').where('id', 'in', page))
    .selectAll()
    .execute()
}

/** The ids of a page, found in an index, so that no content is read but that of the page. */
export function pageOf(
  db: Db,
  filter: AuditFilter,
  limit: number,
  offset: number,
  stretch: Stretch = WHOLE,
) {
  return ordered(within(filtered(db, filter), stretch))
    .select('id')
    .limit(limit)
    .offset(offset)
}

type Query = ReturnType<typeof filtered>

function ordered(query: Query): Query {
  return query.orderBy('at', 'desc').orderBy('id', 'desc')
}

function within(query: Query, { after, last }: Stretch): Query {
  let wanted = query
  if (after) wanted = wanted.where(sql<SqlBool>`(at, id) < (${after.at}, ${after.id})`)
  if (last) wanted = wanted.where(sql<SqlBool>`(at, id) >= (${last.at}, ${last.id})`)
  return wanted
}

function filtered(db: Db, filter: AuditFilter) {
  let wanted = db.selectFrom('audit')
  if (filter.actorId !== '') wanted = wanted.where('actor_id', '=', filter.actorId)
  if (filter.objectKind !== '') wanted = wanted.where('object_kind', '=', filter.objectKind)
  if (filter.objectId !== '') wanted = wanted.where('object_id', '=', filter.objectId)
  if (filter.result !== '') wanted = wanted.where('result', '=', filter.result)
  if (filter.from !== '') wanted = wanted.where('at', '>=', filter.from)
  if (filter.to !== '') wanted = wanted.where('at', '<', filter.to)
  const search = filter.search.trim()
  return search === '' ? wanted : wanted.where(matches('search', search))
}

function decoded({ before, after, ...line }: AuditRow): StoredLine {
  return { ...line, before: decode(before), after: decode(after) }
}

function decode(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}

/** The newest change of that object that was carried out: which call it was, and by whom. */
export async function lastChangeOf(
  db: Db,
  objectId: string,
): Promise<Pick<AuditRow, 'call' | 'actor_name'> | null> {
  const row = await db
    .selectFrom('audit')
    .select(['call', 'actor_name'])
    // There is an index by kind and id.
    .where('object_kind', 'in', OBJECT_KINDS)
    .where('object_id', '=', objectId)
    .where('result', '=', 'done')
    .where('after', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** When the oldest line was written; null without any. */
export async function oldestAt(db: Db): Promise<string | null> {
  const row = await db.selectFrom('audit').select('at').orderBy('at').limit(1).executeTakeFirst()
  return row?.at ?? null
}

/** Whole, as they are stored: the newest of the stretch that are older than `after`, at most `most`. */
export async function linesOf(
  db: Db,
  { from, to }: Pick<AuditFilter, 'from' | 'to'>,
  after: Place | null,
  most: number,
): Promise<AuditRow[]> {
  const lines = db.selectFrom('audit').where('at', '>=', from).where('at', '<', to)
  return ordered(within(lines, { after, last: null }))
    .selectAll()
    .limit(most)
    .execute()
}

/** Removes the oldest lines before that moment, at most `most`; answers how many. */
export async function removeBefore(db: Db, before: string, most: number): Promise<number> {
  const oldest = db.selectFrom('audit').select('id').where('at', '<', before)
  const { numDeletedRows } = await db
    .deleteFrom('audit')
    .where('id', 'in', oldest.orderBy('at').orderBy('id').limit(most))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Each address once from which this user did that since then. */
export async function addressesOf(
  db: Db,
  { actorId, calls, since }: { actorId: string; calls: readonly string[]; since: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('audit')
    .select('ip')
    .distinct()
    .where('actor_id', '=', actorId)
    .where('at', '>=', since)
    .where('call', 'in', calls)
    .where('result', '=', 'done')
    .execute()
  return rows.map(({ ip }) => ip)
}

/** How often those calls were refused since then (ISO), and the address that most of them came from. */
export async function refusalsOf(
  db: Db,
  { calls, since }: { calls: readonly string[]; since: string },
): Promise<{ total: number; address: string }> {
  const rows = await db
    .selectFrom('audit')
    .select(['ip', (row) => row.fn.countAll<number | string>().as('count')])
    .where('result', '=', 'refused')
    .where('at', '>=', since)
    .where('call', 'in', calls)
    .groupBy('ip')
    .orderBy('count', 'desc')
    .orderBy('ip')
    .execute()
  const total = rows.reduce((sum, { count }) => sum + Number(count), 0)
  return { total, address: rows[0]?.ip ?? '' }
}

/** Each line of the record names its own. */
type Untitled = 'alarmOverride' | 'backup' | 'schedule'

const TABLE_OF = {
  group: 'groups',
  server: 'servers',
  encoder: 'encoders',
  encoderTemplate: 'encoder_templates',
  channel: 'channels',
  input: 'inputs',
  output: 'outputs',
  destination: 'destinations',
  maintenance: 'maintenance_windows',
  notificationRule: 'notification_rules',
  apiToken: 'api_tokens',
} as const satisfies Record<Exclude<ObjectKind, 'user' | Untitled>, string>

/** What the object is called now; '' when there is none. */
export async function titleOf(db: Db, kind: ObjectKind, id: string): Promise<string> {
  if (kind === 'user') {
    const user = await db
      .selectFrom('users')
      .select(['first_name', 'last_name'])
      .where('id', '=', id)
      .executeTakeFirst()
    return user === undefined ? '' : `${user.first_name} ${user.last_name}`.trim()
  }
  if (kind === 'alarmOverride' || kind === 'backup' || kind === 'schedule') return ''
  const row = await db
    .selectFrom(TABLE_OF[kind])
    .select('title')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.title ?? ''
}
