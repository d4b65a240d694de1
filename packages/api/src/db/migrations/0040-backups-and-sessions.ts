import type { Kysely } from 'kysely'

/**
 * Until when a backup that is being made is known to be, and the ID token that a session by the provider
 * began with. Null: written by a program of before, which keeps neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('backups').addColumn('seen_at', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('id_token_sealed', 'text').execute()
}
