import type { Kysely } from 'kysely'

/**
 * Until when a backup that is being made is known to be. Null: begun by a program of before, which does
 * not say so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('backups').addColumn('seen_at', 'text').execute()
}
