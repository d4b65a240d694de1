import type { Kysely } from 'kysely'

/** Lists are in the order in which things were added: a page is read, and not all rows sorted for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['encoders', 'inputs']) {
    await index(db, table, ['created_at', 'id'])
    await index(db, table, ['group_id', 'created_at', 'id'])
    // The index above begins with the same column.
    await db.schema.dropIndex(`${table}_by_group_id`).execute()
  }
  await index(db, 'outputs', ['created_at', 'id'])
  await index(db, 'channels', ['created_at', 'name', 'id'])
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute()
}
