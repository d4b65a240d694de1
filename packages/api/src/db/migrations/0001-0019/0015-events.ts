import type { Kysely } from 'kysely'
import { createIndex } from '../create-index.ts'

/**
 * What has happened to each object, its last known states, and which processes watched when. The
 * key keeps an event that two processes have seen from being there twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('object_kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('since_at', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('cause', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('events_primary', ['object_kind', 'object_id', 'at', 'kind'])
    .execute()
  await createIndex(db, 'events', ['at'])
  await db.schema
    .createTable('event_states')
    .addColumn('object_kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('facet', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_states_primary', ['object_kind', 'object_id', 'facet'])
    .execute()
  await db.schema
    .createTable('event_watchers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .addColumn('has_ended', 'integer', (c) => c.notNull())
    .execute()
}
