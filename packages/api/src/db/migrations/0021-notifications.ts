import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/**
 * Rules that send alarms, which open alarms each has sent, and the messages: those that are to be
 * sent and, for a while, those that were.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notification_rules')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('title_key', 'text', (c) => c.notNull().unique())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('secrets_sealed', 'text')
    .execute()
  await db.schema
    .createTable('notified_alarms')
    .addColumn('rule_id', 'text', (c) => c.notNull())
    .addColumn('alarm_id', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('sent_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('notified_alarms_primary', ['rule_id', 'alarm_id'])
    .execute()
  await db.schema
    .createTable('notification_deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('rule_id', 'text', (c) => c.notNull())
    .addColumn('rule_title', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_try_at', 'text')
    .addColumn('leased_by', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'notification_deliveries', ['created_at', 'id'])
  await createIndex(db, 'notification_deliveries', ['rule_id', 'created_at', 'id'])
  await createIndex(db, 'notification_deliveries', ['state', 'created_at', 'id'])
}
