import type { Kysely } from 'kysely'

/** Programs that are tried on another server before they leave their own: no process takes them off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('program_copies')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('program_id', 'text', (c) => c.notNull())
    .addColumn('until_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('program_copies_primary', ['host_key', 'port', 'program_id'])
    .execute()
}
