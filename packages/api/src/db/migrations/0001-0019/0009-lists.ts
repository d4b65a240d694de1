import type { Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

/** Lists are ordered by when their rows were added: a page must not sort the whole table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['encoders', 'inputs']) {
    await createIndex(db, table, ['created_at', 'id'])
    await createIndex(db, table, ['group_id', 'created_at', 'id'])
    // The index above begins with the same column.
    await db.schema.dropIndex(`${table}_by_group_id`).execute()
  }
  await createIndex(db, 'outputs', ['created_at', 'id'])
  await createIndex(db, 'channels', ['created_at', 'name', 'id'])
}
