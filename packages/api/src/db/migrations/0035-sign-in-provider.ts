import type { Kysely } from 'kysely'
import { createIndex } from './create-index.ts'

/** People from an OpenID Connect provider, and their sign-ins that are under way there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('provider_issuer', 'text').execute()
  await db.schema.alterTable('users').addColumn('provider_subject', 'text').execute()
  // Of local accounts both are null, and null is unlike null.
  await db.schema
    .createIndex('users_provider')
    .unique()
    .on('users')
    .columns(['provider_issuer', 'provider_subject'])
    .execute()
  await db.schema
    .createTable('oidc_flows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('binding', 'text', (c) => c.notNull())
    .addColumn('nonce', 'text', (c) => c.notNull())
    .addColumn('verifier_sealed', 'text', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'oidc_flows', ['network'])
  await createIndex(db, 'oidc_flows', ['expires_at'])
}
