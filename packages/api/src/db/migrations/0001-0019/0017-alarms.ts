import { sql, type Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

/**
 * Alarms, open and cleared. An object has at most one that is open: two processes that see the same
 * raise it once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alarms')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('object_kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('rule', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('sentence', 'text', (c) => c.notNull())
    .addColumn('raised_at', 'text', (c) => c.notNull())
    .addColumn('cleared_at', 'text')
    .addColumn('caused_by', 'text')
    .addColumn('behind', 'integer', (c) => c.notNull())
    .addColumn('acknowledged_at', 'text')
    .addColumn('acknowledged_by', 'text')
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('muted_until', 'text')
    .execute()
  await db.schema
    .createIndex('alarms_open')
    .unique()
    .on('alarms')
    .columns(['object_kind', 'object_id'])
    .where(sql.ref('cleared_at'), 'is', null)
    .execute()
  await createIndex(db, 'alarms', ['raised_at', 'id'])
  await createIndex(db, 'alarms', ['object_kind', 'object_id', 'raised_at'])
  await createIndex(db, 'alarms', ['cleared_at'])
}
