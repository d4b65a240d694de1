import type { Kysely } from 'kysely'

/** Named encoder settings. A template of all groups has no group, so there is no key to groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('encoder_templates')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('title_key', 'text', (c) => c.notNull())
    .addColumn('group_id', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addUniqueConstraint('encoder_templates_title', ['group_id', 'title_key'])
    .execute()
}
