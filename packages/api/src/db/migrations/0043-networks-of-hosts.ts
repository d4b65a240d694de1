import type { Kysely } from 'kysely'

/**
 * From which network a host that connects by itself was linked last: connections from there have places of their own.
 * Null: it was not linked since, or by a program of before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('host_identities').addColumn('connects_from', 'text').execute()
}
