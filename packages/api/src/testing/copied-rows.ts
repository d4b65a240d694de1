/** Large sites for tests and benches: one row that a store wrote, copied in one statement. */
import { sql } from 'kysely'
import type { Connection } from '../db/open.ts'

type Table =
  | 'users'
  | 'groups'
  | 'servers'
  | 'encoders'
  | 'feeders'
  | 'channels'
  | 'inputs'
  | 'outputs'
  | 'destinations'
  | 'audit'

/**
 * Copies a row `count` times. In the copies the columns of `differ` end in '-1', '-2' and so on; all
 * else is equal.
 */
export async function copyRow(
  db: Connection,
  table: Table,
  id: string,
  count: number,
  differ: readonly string[],
): Promise<void> {
  const row = await db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const columns = Object.keys(row)
  const values = columns.map((column) =>
    differ.includes(column) ? sql`${sql.ref(column)} || '-' || n` : sql.ref(column),
  )
  await sql`
    with recursive numbers (n) as (
      select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}
    )
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(values)} from ${sql.table(table)}, numbers
    where id = ${id}`.execute(db)
}
