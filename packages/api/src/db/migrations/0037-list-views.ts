import type { Kysely } from 'kysely'

/** Saved filters and hidden columns of each list, per person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('list_views')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('hidden', 'text', (c) => c.notNull())
    .addColumn('saved', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('list_views_primary', ['user_id', 'list'])
    .execute()
}
