import { sql, type Kysely } from 'kysely'

/** What the record of activity was, stretch by stretch, so that a change of it shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('record_seals')
    .addColumn('from_at', 'text', (c) => c.primaryKey())
    .addColumn('to_at', 'text', (c) => c.notNull())
    .addColumn('lines', sql`bigint`, (c) => c.notNull())
    .addColumn('previous', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .execute()
}
