import type { Kysely } from 'kysely'

/** Named after its table and columns: 'inputs_by_group_id'. */
export async function createIndex(
  db: Kysely<unknown>,
  table: string,
  columns: string[],
): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute()
}
