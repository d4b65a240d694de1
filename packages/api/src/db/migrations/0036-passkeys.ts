import { sql, type Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/** Passkeys as a second factor, and what a challenge may be used for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    // 32 bits without a sign (WebAuthn 6.1).
    .addColumn('counter', sql`bigint`, (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('site', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await createIndex(db, 'passkeys', ['user_id'])
  await db.schema
    .alterTable('sign_in_challenges')
    .addColumn('purpose', 'text', (c) => c.notNull().defaultTo('signIn'))
    .execute()
}
