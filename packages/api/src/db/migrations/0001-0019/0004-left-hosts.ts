import type { Kysely } from 'kysely'

/** Hosts that no record names any more, with programs of ours perhaps still on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('left_hosts')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('api_key_sealed', 'text', (c) => c.notNull())
    .addColumn('left_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('left_hosts_primary', ['host_key', 'port'])
    .execute()
}
