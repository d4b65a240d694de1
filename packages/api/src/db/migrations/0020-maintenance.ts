import type { Kysely } from 'kysely'

/** Maintenance windows. What one covers may be of several kinds, so there is no key to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('maintenance_windows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('covers_kind', 'text', (c) => c.notNull())
    .addColumn('covers_id', 'text', (c) => c.notNull())
    .addColumn('times', 'text', (c) => c.notNull())
    .execute()
}
