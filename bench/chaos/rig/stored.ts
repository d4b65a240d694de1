/** What is stored once everything is over, read past the API. */
import type { Connection } from '@trunkline/api/db/open'
import { sql } from 'kysely'
import { checkWrites, type RecordedChange, type Write, type WriteFaults } from './write-model.ts'
import type { WrittenKind } from './writers.ts'

export interface StoredFaults extends WriteFaults {
  /** What the database itself finds wrong with its file, and rows that name what is not there. */
  damaged: string[]
}

/** What somebody wrote. */
export interface Written {
  readonly kind: WrittenKind
  readonly writes: readonly Write[]
}

/** Of all writers; `database`: only SQLite can check its file. */
export async function checkStored(
  db: Connection,
  database: 'sqlite' | 'postgres',
  writers: readonly Written[],
): Promise<StoredFaults> {
  const faults: StoredFaults = { lost: [], unexpected: [], torn: [], damaged: [] }
  for (const ofTable of Map.groupBy(writers, ({ kind }) => kind.table).values()) {
    const [first] = ofTable
    if (first === undefined) continue
    const { table, objectKind } = first.kind
    const rows = await db.selectFrom(table).select(['id', 'title', 'version']).execute()
    const written = rows.filter(({ title }) => title.startsWith('w'))
    const known = new Set(rows.filter((row) => !written.includes(row)).map(({ id }) => id))
    const recorded = await recordedOf(db, objectKind)
    const found = checkWrites(
      ofTable.flatMap(({ writes }) => writes),
      written,
      recorded.filter(({ id }) => !known.has(id)),
    )
    faults.lost.push(...found.lost)
    faults.unexpected.push(...found.unexpected)
    faults.torn.push(...found.torn)
  }
  if (database === 'sqlite') faults.damaged.push(...(await damageOf(db)))
  return faults
}

async function recordedOf(db: Connection, kind: string): Promise<RecordedChange[]> {
  const lines = await db
    .selectFrom('audit')
    .select(['object_id', 'call'])
    .where('object_kind', '=', kind)
    .where('result', '=', 'done')
    .execute()
  return lines.map(({ object_id: id, call }) => {
    const verb = call.slice(call.indexOf('.') + 1)
    return { id: id ?? '', action: verb === 'add' || verb === 'remove' ? verb : 'update' }
  })
}

async function damageOf(db: Connection): Promise<string[]> {
  const checked = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  const broken = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  return [
    ...checked.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...broken.rows.map((row) => `a row of ${row.table} names what is not there`),
  ]
}
