import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/**
 * What was counted in the transport streams of links, by minutes and by hours, and up to where the
 * counts of each run of an agent are stored: both are written in one transaction, so that nothing is
 * counted twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('transport_samples')
    .addColumn('program_id', 'text', (c) => c.notNull())
    .addColumn('step_s', 'integer', (c) => c.notNull())
    .addColumn('at_s', 'integer', (c) => c.notNull())
    .addColumn('looked_ms', 'integer', (c) => c.notNull())
    .addColumn('followed_ms', 'integer', (c) => c.notNull())
    .addColumn('continuity_errors', 'integer', (c) => c.notNull())
    .addColumn('sync_losses', 'integer', (c) => c.notNull())
    .addColumn('transport_errors', 'integer', (c) => c.notNull())
    .addColumn('crc_errors', 'integer', (c) => c.notNull())
    .addColumn('scrambled_packets', 'integer', (c) => c.notNull())
    .addColumn('pat_gap_ms', 'real')
    .addColumn('pmt_gap_ms', 'real')
    .addColumn('pcr_interval_ms', 'real')
    .addColumn('pcr_jitter_ms', 'real')
    .addColumn('errors', 'text')
    .addPrimaryKeyConstraint('transport_samples_primary', ['program_id', 'step_s', 'at_s'])
    .execute()
  await createIndex(db, 'transport_samples', ['step_s', 'at_s'])
  await db.schema
    .createTable('transport_cursors')
    .addColumn('run', 'text', (c) => c.primaryKey())
    .addColumn('up_to', 'integer', (c) => c.notNull())
    .addColumn('seen_s', 'integer', (c) => c.notNull())
    .execute()
}
