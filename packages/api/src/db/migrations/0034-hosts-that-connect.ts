import type { Kysely } from 'kysely'

/** Who opens the link to an enrolled host: 'console' dials it, 'host' connects by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('host_identities')
    .addColumn('opened_by', 'text', (c) => c.notNull().defaultTo('console'))
    .execute()
}
