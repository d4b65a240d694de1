import type { Kysely } from 'kysely'

/** Whether somebody is also asked before the actions that interrupt a stream at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('asks_before_interrupting', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
