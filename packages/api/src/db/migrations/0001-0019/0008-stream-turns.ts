import type { Kysely } from 'kysely'

/** Who commands a stream of a media server at the moment; the other processes wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stream_turns')
    .addColumn('server_id', 'text', (c) => c.notNull())
    .addColumn('stream_name', 'text', (c) => c.notNull())
    .addColumn('turn_id', 'text', (c) => c.notNull())
    .addColumn('until_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('stream_turns_primary', ['server_id', 'stream_name'])
    .execute()
}
