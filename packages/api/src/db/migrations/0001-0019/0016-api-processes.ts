import type { Kysely } from 'kysely'

/** The API processes that share the hosts at present. A row whose `beats` stand still is removed by the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_processes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('beats', 'integer', (c) => c.notNull())
    .execute()
}
