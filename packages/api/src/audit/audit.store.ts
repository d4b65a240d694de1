import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { matches } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { readPage } from '../db/page-rows.ts'
import type { AuditRow } from '../db/schema.ts'
import { searchText } from '../db/search.ts'
import { newId } from '../id.ts'
import { mapInSlices } from '../in-slices.ts'

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
  await db
    .insertInto('audit')
    .values({
      ...line,
      id: newId(),
      search: searchText([line.actor_name, line.object_title, line.call, line.reason]),
      before: encode(line.before),
      after: encode(line.after),
    })
    .execute()
}

function encode(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Newest first. */
export async function list(
  db: Db,
  filter: AuditFilter,
): Promise<{ lines: StoredLine[]; total: number }> {
  const { total } = await filtered(db, filter)
    .select((one) => one.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await readPage(filter, async (limit, offset) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('id', 'in', pageOf(db, filter, limit, offset))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  )
  return { lines: await mapInSlices(rows, decoded), total }
}

/** The ids of a page, found in an index, so that no content is read but that of the page. */
export function pageOf(db: Db, filter: AuditFilter, limit: number, offset: number) {
  return filtered(db, filter)
    .select('id')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
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
  { actorId, call, since }: { actorId: string; call: string; since: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('audit')
    .select('ip')
    .distinct()
    .where('actor_id', '=', actorId)
    .where('at', '>=', since)
    .where('call', '=', call)
    .where('result', '=', 'done')
    .execute()
  return rows.map(({ ip }) => ip)
}

const TABLE_OF = {
  group: 'groups',
  server: 'servers',
  encoder: 'encoders',
  encoderTemplate: 'encoder_templates',
  channel: 'channels',
  input: 'inputs',
  output: 'outputs',
  destination: 'destinations',
} as const satisfies Record<Exclude<ObjectKind, 'user'>, string>

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
  const row = await db
    .selectFrom(TABLE_OF[kind])
    .select('title')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.title ?? ''
}
