import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

const OBJECTS = ['encoder', 'feeder', 'input', 'output', 'channel'] as const

/** Commands at a time, and how each went. Of the references to objects each schedule has one, and goes with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = OBJECTS.reduce(
    (built, kind) =>
      built.addColumn(`${kind}_id`, 'text', (c) => c.references(`${kind}s.id`).onDelete('cascade')),
    db.schema.createTable('schedules').addColumn('id', 'text', (c) => c.primaryKey()),
  )
  await table
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('command', 'text', (c) => c.notNull())
    .addColumn('source', 'text')
    .addColumn('times', 'text', (c) => c.notNull())
    .addColumn('also_on_air', 'integer', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('made_by', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('made_by_name', 'text', (c) => c.notNull())
    .addColumn('next_at', 'text')
    .execute()
  await createIndex(db, 'schedules', ['next_at'])
  for (const kind of OBJECTS) await createIndex(db, 'schedules', [`${kind}_id`])
  await createIndex(db, 'schedules', ['made_by'])
  await db.schema
    .createTable('schedule_runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('schedule_id', 'text', (c) =>
      c.notNull().references('schedules.id').onDelete('cascade'),
    )
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('begun_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('sentence', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'schedule_runs', ['schedule_id', 'due_at'])
  await createIndex(db, 'schedule_runs', ['outcome', 'begun_at'])
}
