import { sql, type Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/** What each link counted on each day, by UTC, for as long as events are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('link_days')
    .addColumn('program_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('packets', sql`bigint`, (c) => c.notNull())
    .addColumn('lost', sql`bigint`, (c) => c.notNull())
    .addColumn('resent', sql`bigint`, (c) => c.notNull())
    .addColumn('dropped', sql`bigint`, (c) => c.notNull())
    .addPrimaryKeyConstraint('link_days_primary', ['program_id', 'day'])
    .execute()
  await createIndex(db, 'link_days', ['day'])
}
