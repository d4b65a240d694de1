import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/** API tokens of people and services, and by which of them a line of activity was caused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('start', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('token_version', 'integer')
    .addColumn('role', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .addColumn('used_address', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await createIndex(db, 'api_tokens', ['user_id'])
  await createIndex(db, 'api_tokens', ['expires_at', 'id'])
  await db.schema
    .createTable('api_token_groups')
    .addColumn('token_id', 'text', (c) =>
      c.notNull().references('api_tokens.id').onDelete('cascade'),
    )
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('api_token_groups_primary', ['token_id', 'group_id'])
    .execute()
  await createIndex(db, 'api_token_groups', ['group_id'])
  await db.schema
    .alterTable('audit')
    .addColumn('token', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}
