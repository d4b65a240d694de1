/** A database with rows in every table, as nobody would type them: for what copies all of them. */
import type { Db } from '../open.ts'
import type { Database } from '../schema.ts'
import { TABLES } from '../tables.ts'

export const ROWS_OF_EACH = 30
/** More than are read at once. */
const ROWS_OF_EVENTS = 1003

export function rowsOf(table: keyof Database): number {
  return table === 'events' ? ROWS_OF_EVENTS : ROWS_OF_EACH
}

/** Rows of the same number name each other; most foreign keys are called after what they name. */
export async function fillEveryTable(db: Db): Promise<void> {
  const tables = new Map((await db.introspection.getTables()).map((table) => [table.name, table]))
  for (const name of TABLES) {
    const columns = tables.get(name)?.columns ?? []
    const rows = Array.from({ length: rowsOf(name) }, (_, no) =>
      Object.fromEntries(
        columns.map((column) => [column.name, valueOf(column.name, column.dataType, no)]),
      ),
    )
    for (let at = 0; at < rows.length; at += 500) {
      await insert(db, name, rows.slice(at, at + 500))
    }
  }
}

async function insert(db: Db, table: keyof Database, rows: readonly object[]): Promise<void> {
  await db
    .insertInto(table)
    .values(rows as never)
    .execute()
}

function valueOf(column: string, type: string, no: number): unknown {
  if (column === 'id' || column.endsWith('_id') || column === 'made_by') return `r${no}`
  // What may be empty is, in every fifth row.
  if (/^(passphrase_sealed|fault|rtt_max_ms)$/.test(column) && no % 5 === 0) {
    return column === 'fault' ? '' : null
  }
  if (/int/i.test(type)) return no
  if (/real|double|float/i.test(type)) return no + 0.1
  return `${column} ${no} "Ü'\\\n🙂`
}
