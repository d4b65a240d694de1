/** Rows that several operators save: each change counts their version up by one (decisions.md 16). */
import type { RawBuilder, SelectType, UpdateObject } from 'kysely'
import type { Db } from './open.ts'
import { prepared, type Value } from './queries/prepared.ts'
import type { Database } from './schema.ts'

type VersionedTable =
  | 'users'
  | 'groups'
  | 'servers'
  | 'encoders'
  | 'encoder_templates'
  | 'channels'
  | 'inputs'
  | 'outputs'
  | 'destinations'
  | 'maintenance_windows'
  | 'alarm_overrides'
  | 'notification_rules'
  | 'schedules'

/** Values, or SQL for them. */
type Columns<T extends VersionedTable> = {
  [C in Exclude<keyof Database[T], 'id' | 'version' | 'created_at'>]?:
    | SelectType<Database[T][C]>
    | RawBuilder<SelectType<Database[T][C]>>
}

/** As it was read. */
interface ReadRow {
  id: string
  version: number
}

/** Answers false when somebody else has changed or removed the row since it was read. */
export async function updateVersioned<T extends VersionedTable>(
  db: Db,
  table: T,
  read: ReadRow,
  columns: Columns<T>,
): Promise<boolean>
export async function updateVersioned(
  db: Db,
  table: VersionedTable,
  { id, version }: ReadRow,
  columns: UpdateObject<Database, VersionedTable>,
): Promise<boolean> {
  const next = version + 1
  if (isPlain(columns)) {
    const { numAffectedRows } = await updateOf(table)(db, { ...columns, id, version, next })
    return (numAffectedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await updateQuery(
    db,
    table,
    { id, version },
    { ...columns, version: next },
  ).executeTakeFirst()
  return numUpdatedRows > 0n
}

function updateQuery(
  db: Db,
  table: VersionedTable,
  { id, version }: ReadRow,
  columns: UpdateObject<Database, VersionedTable>,
) {
  return db.updateTable(table).set(columns).where('id', '=', id).where('version', '=', version)
}

type PlainRow = ReadRow & { next: number } & Readonly<Record<string, Value>>

const updates = new Map<VersionedTable, ReturnType<typeof prepared<PlainRow, unknown>>>()

function updateOf(table: VersionedTable) {
  const known = updates.get(table)
  if (known !== undefined) return known
  const update = prepared<PlainRow, unknown>((db, { id, version, next, ...columns }) =>
    updateQuery(db, table, { id, version }, { ...columns, version: next }),
  )
  updates.set(table, update)
  return update
}

/** Values alone, none of them SQL. */
function isPlain(columns: object): columns is Readonly<Record<string, Value>> {
  return Object.values(columns).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'number',
  )
}

/** Counts the version up, whatever it is. Answers false when the row is gone. */
export async function touchRow(db: Db, table: VersionedTable, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Until the transaction ends, whoever else holds or changes the row waits. */
export async function holdRow(trx: Db, table: VersionedTable, id: string): Promise<void> {
  await trx
    .updateTable(table)
    // Writing a row as it is locks it on both databases alike.
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute()
}
