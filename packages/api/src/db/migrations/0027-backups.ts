import { PostgresAdapter, sql, type Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

const MEASURED = {
  link_samples: ['rtt_max_ms'],
  transport_samples: ['pat_gap_ms', 'pmt_gap_ms', 'pcr_interval_ms', 'pcr_jitter_ms'],
}

/**
 * The backups that were made. PostgreSQL also keeps measured times in eight bytes now, as SQLite does:
 * what is copied from the former to the latter and back stays the same to the last digit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('begun_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('machine', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull())
    .addColumn('bytes', sql`bigint`)
    .addColumn('fault', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'backups', ['begun_at', 'id'])
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  for (const [table, columns] of Object.entries(MEASURED)) {
    for (const column of columns) {
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type double precision`.execute(
        db,
      )
    }
  }
}
