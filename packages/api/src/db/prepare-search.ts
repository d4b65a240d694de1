/** The index that a search on PostgreSQL needs: of an extension that comes with it, and may be refused. */
import { sql, type Kysely } from 'kysely'
import { reasonOf } from './faults.ts'

const TABLES = [
  'encoders',
  'feeders',
  'inputs',
  'outputs',
  'channels',
  'users',
  'destinations',
  'audit',
]

/** At each start, as the extension may have come since. `warn` is told when there is none. */
export async function prepareSearch<T>(
  db: Kysely<T>,
  warn: (sentence: string) => void,
): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      // Another API process may start at the same moment.
      await sql`select pg_advisory_xact_lock(hashtext('trunkline search'))`.execute(trx)
      await sql`create extension if not exists pg_trgm`.execute(trx)
      for (const table of TABLES) await createIndex(trx, table)
    })
  } catch (error) {
    warn(
      `PostgreSQL gives no index for searches (${reasonOf(error)}): each search reads whole tables. Let its administrator run 'create extension pg_trgm' in this database, then start again.`,
    )
  }
}

async function createIndex<T>(db: Kysely<T>, table: string): Promise<void> {
  const name = sql.id(`${table}_by_search_text`)
  const on = sql`${sql.table(table)} using gin (search gin_trgm_ops)`
  await sql`create index if not exists ${name} on ${on}`.execute(db)
}
