import type { Kysely } from 'kysely'

/**
 * Until when a backup that is being made is known to be; of a session by the provider the ID token that it
 * began with, and when the person had proved there who they are. Null: written by a program of before, which keeps none of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('backups').addColumn('seen_at', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('id_token_sealed', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('authenticated_at', 'text').execute()
}
