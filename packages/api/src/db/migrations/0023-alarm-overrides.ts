import type { Kysely } from 'kysely'

/** Overrides of alarm rules. What one covers may be of several kinds, so there is no key to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarm_overrides')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('covers_kind', 'text', (c) => c.notNull())
    .addColumn('covers_id', 'text', (c) => c.notNull())
    .addColumn('rule', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addUniqueConstraint('alarm_overrides_once', ['covers_kind', 'covers_id', 'rule'])
    .execute()
}
