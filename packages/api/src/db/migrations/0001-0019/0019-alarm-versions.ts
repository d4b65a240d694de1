import { sql, type Kysely } from 'kysely'

/** Alarms were raised with version 0, which no call takes: it could not be acknowledged from the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update alarms set version = 1 where version = 0`.execute(db)
}
