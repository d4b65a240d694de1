/** Marks of what is on air in the database; each goes with its object. */
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import type { Db } from '../db/open.ts'
import { hasDeleted } from '../db/queries/row-counts.ts'
import { guarded } from '../db/guarded.ts'
import type { OnAirRow } from '../db/schema.ts'
import { conflict } from '../errors.ts'
import type { PathKey } from '../paths/path-source.ts'

export interface StoredMark extends PathKey {
  markId: string
  version: number
  fromMs: number
  /** Null: until it is taken off air. */
  untilMs: number | null
  note: string
  /** Who put it on air, as they were called. */
  by: string
}

const COLUMNS = {
  encoder: 'encoder_id',
  feeder: 'feeder_id',
  input: 'input_id',
  output: 'output_id',
  channel: 'channel_id',
} as const satisfies Record<OnAirKind, keyof OnAirRow>

const KINDS = Object.keys(COLUMNS) as OnAirKind[]

/** Those that have ended are left out. There are no more than `ON_AIR_MARKS_AT_MOST`. */
export async function readOpen(db: Db, nowMs: number): Promise<StoredMark[]> {
  const now = text(nowMs)
  const rows = await db
    .selectFrom('on_air')
    .selectAll()
    .where((where) => where.or([where('until_at', 'is', null), where('until_at', '>', now)]))
    .orderBy('id')
    .execute()
  return rows.map(markOf)
}

/** The mark of that object, also when it has ended. */
export async function find(db: Db, { kind, id }: PathKey): Promise<StoredMark | null> {
  const row = await db
    .selectFrom('on_air')
    .selectAll()
    .where(COLUMNS[kind], '=', id)
    .executeTakeFirst()
  return row === undefined ? null : markOf(row)
}

/** Conflict when somebody else has just put the object on air, or removed it. */
export async function insert(db: Db, mark: StoredMark): Promise<void> {
  const overtaken = () => conflict('Somebody else has just changed this. Check it, then try again.')
  await guarded({ unique: overtaken, foreignKey: overtaken }, async () =>
    db.insertInto('on_air').values(rowOf(mark)).execute(),
  )
}

/** Answers false when somebody else has changed the mark, or taken the object off air, since it was read. */
export async function update(db: Db, mark: StoredMark, before: StoredMark): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('on_air')
    .set({ ...rowOf(mark), version: before.version + 1 })
    .where('id', '=', before.markId)
    .where('version', '=', before.version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Answers false when it is gone already. */
export async function remove(db: Db, markId: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('on_air').where('id', '=', markId))
}

export async function removeEnded(db: Db, nowMs: number): Promise<void> {
  await db.deleteFrom('on_air').where('until_at', '<=', text(nowMs)).execute()
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function rowOf({ markId, kind, id, version, fromMs, untilMs, note, by }: StoredMark): OnAirRow {
  return {
    id: markId,
    encoder_id: null,
    feeder_id: null,
    input_id: null,
    output_id: null,
    channel_id: null,
    [COLUMNS[kind]]: id,
    version,
    from_at: text(fromMs),
    until_at: untilMs === null ? null : text(untilMs),
    note,
    put_by: by,
  }
}

function markOf(row: OnAirRow): StoredMark {
  const kind = KINDS.find((each) => row[COLUMNS[each]] !== null) ?? 'channel'
  return {
    markId: row.id,
    kind,
    id: row[COLUMNS[kind]] ?? '',
    version: row.version,
    fromMs: Date.parse(row.from_at),
    untilMs: row.until_at === null ? null : Date.parse(row.until_at),
    note: row.note,
    by: row.put_by,
  }
}
