import type { Kysely } from 'kysely'

/** The language and the times that a person reads the console in; null: as the browser has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('language', 'text').execute()
  await db.schema.alterTable('users').addColumn('times', 'text').execute()
}
