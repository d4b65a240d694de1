import type { Kysely } from 'kysely'

/** What links measured over time, and programs whose stopped definition stays on a server they left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('link_samples')
    .addColumn('program_id', 'text', (c) => c.notNull())
    .addColumn('step_s', 'integer', (c) => c.notNull())
    .addColumn('at_s', 'integer', (c) => c.notNull())
    .addColumn('readings', 'integer', (c) => c.notNull())
    .addColumn('bitrate_sum_kbps', 'integer', (c) => c.notNull())
    .addColumn('bitrate_min_kbps', 'integer', (c) => c.notNull())
    .addColumn('bitrate_max_kbps', 'integer', (c) => c.notNull())
    .addColumn('rtt_max_ms', 'real')
    .addColumn('packets', 'integer', (c) => c.notNull())
    .addColumn('lost', 'integer', (c) => c.notNull())
    .addColumn('resent', 'integer', (c) => c.notNull())
    .addColumn('dropped', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_samples_primary', ['program_id', 'step_s', 'at_s'])
    .execute()
  await db.schema
    .createIndex('link_samples_by_step')
    .on('link_samples')
    .columns(['step_s', 'at_s'])
    .execute()
  await db.schema
    .createTable('kept_programs')
    .addColumn('host_key', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('program_id', 'text', (c) => c.notNull())
    .addColumn('kept_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('kept_programs_primary', ['host_key', 'port', 'program_id'])
    .execute()
}
