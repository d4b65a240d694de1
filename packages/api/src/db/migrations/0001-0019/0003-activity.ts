import { SqliteAdapter, type Kysely } from 'kysely'

/**
 * A page of the record of activity is found, and skipped to, in an index alone. SQLite's holds the
 * search text too: a search looks through the whole record, and SQLite looks in our own process.
 * PostgreSQL takes no such long text in an index, and needs none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  await db.schema.dropIndex('audit_by_at').execute()
  await db.schema
    .createIndex('audit_by_time')
    .on('audit')
    .columns(isSqlite ? ['at', 'id', 'search'] : ['at', 'id'])
    .execute()
  await db.schema
    .createIndex('audit_by_kind')
    .on('audit')
    .columns(['object_kind', 'at', 'id'])
    .execute()
  await db.schema.dropIndex('audit_by_actor').execute()
  await db.schema
    .createIndex('audit_by_person')
    .on('audit')
    .columns(['actor_id', 'at', 'id'])
    .execute()
}
