/** Every row of one database brought into another that is empty and has the same schema. */
import { createHash } from 'node:crypto'
import { sql, SqliteAdapter } from 'kysely'
import type { Db } from '../open.ts'
import type { Database } from '../schema.ts'
import { PRIMARY_KEYS, TABLES } from '../tables.ts'

type Table = keyof Database
type Row = Readonly<Record<string, unknown>>

/** What a table holds; two that are equal hold the same rows, in whatever order. */
interface TableContent {
  readonly rows: number
  /** The sum of a hash of each row. */
  readonly digest: bigint
}

export type Content = ReadonlyMap<Table, TableContent>

/** Some hundred kilobytes at most. */
const ROWS_AT_ONCE = 1000
/** SQLite takes 32,766 values in a statement. */
const VALUES_AT_ONCE = 30_000
const DIGEST_BITS = 64

/** Answers what was copied. Tables that `from` does not have yet are left as they are. */
export async function copyRows(from: Db, to: Db): Promise<Content> {
  return readTables(from, async (table, rows) => insertRows(to, table, rows))
}

/** Without `see` it only looks, as for comparing. Call it in one transaction, or while nobody writes. */
export async function readTables(
  db: Db,
  see: (table: Table, rows: readonly Row[]) => Promise<void> = async () => Promise.resolve(),
): Promise<Content> {
  const present = new Set((await db.introspection.getTables()).map((table) => table.name))
  const content = new Map<Table, TableContent>()
  for (const table of TABLES) {
    if (!present.has(table)) continue
    let [rows, digest] = [0, 0n]
    for await (const batch of batchesOf(db, table)) {
      rows += batch.length
      for (const row of batch) digest = BigInt.asUintN(DIGEST_BITS, digest + hashOf(row))
      await see(table, batch)
    }
    content.set(table, { rows, digest })
  }
  return content
}

/** Tables whose rows differ. */
export function differences(a: Content, b: Content): Table[] {
  return TABLES.filter(
    (table) =>
      a.get(table)?.rows !== b.get(table)?.rows || a.get(table)?.digest !== b.get(table)?.digest,
  )
}

async function* batchesOf(db: Db, table: Table): AsyncGenerator<readonly Row[]> {
  const keys = PRIMARY_KEYS[table]
  const names = sql.join(keys.map((key) => sql.ref(key)))
  let after = sql`true`
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${after} order by ${names} limit ${sql.lit(ROWS_AT_ONCE)}
    `.execute(db)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = sql`(${names}) > (${sql.join(keys.map((key) => last[key]))})`
  }
}

async function insertRows(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const into = sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    // A parameter for all: a thousand rows have more values than a statement may have.
    const names = sql.join(columns.map((name) => sql.ref(name)))
    await sql`${into} select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(
      db,
    )
    return
  }
  const most = Math.floor(VALUES_AT_ONCE / columns.length)
  for (let at = 0; at < rows.length; at += most) {
    const values = rows
      .slice(at, at + most)
      .map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`)
    await sql`${into} values ${sql.join(values)}`.execute(db)
  }
}

/** Columns by name: of a table that was changed later their order may differ. */
function hashOf(row: Row): bigint {
  const text = JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(text).digest().readBigUInt64BE()
}
