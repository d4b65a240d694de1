/**
 * All that is stored, read often: after every refused call of the fuzz. It is read beside the API, by a
 * connection of its own, and only when something was committed since it was last read.
 */
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { sqliteFile } from '../../db/open.ts'

/** By table: the same text as long as its rows are the same. */
export type StoredState = ReadonlyMap<string, string>

export interface StoredStateReader extends AsyncDisposable {
  /** As it is committed; the same object as before when nothing was. */
  read(): Promise<StoredState>
}

/** Of kysely's migrations. */
const NOT_OURS = /^kysely_/

export async function openStoredState(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<StoredStateReader> {
  return config.databaseUrl === null
    ? openSqliteState(sqliteFile(config))
    : openPostgresState(config.databaseUrl)
}

/** Tables whose rows are not the same. */
export function changedTables(before: StoredState, after: StoredState): string[] {
  if (before === after) return []
  return [...after].filter(([table, rows]) => before.get(table) !== rows).map(([table]) => table)
}

function openSqliteState(file: string): StoredStateReader {
  const database = new Sqlite(file, { readonly: true })
  const tables = database
    .prepare<[], { name: string }>(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
    )
    .all()
    .filter(({ name }) => !NOT_OURS.test(name))
    .map(({ name }) => [name, database.prepare(`select * from "${name}"`).raw()] as const)
  const version = database.prepare('pragma data_version').pluck()
  let [readVersion, state]: [unknown, StoredState] = [null, new Map()]
  return {
    read: async () => {
      // Another number after every commit of another connection, and only then.
      const now = version.get()
      if (now !== readVersion) {
        state = new Map(tables.map(([name, rows]) => [name, textOf(rows.all())]))
        readVersion = now
      }
      return Promise.resolve(state)
    },
    [Symbol.asyncDispose]: async () => {
      database.close()
      return Promise.resolve()
    },
  }
}

/** A row may come back in another place. */
function textOf(rows: readonly unknown[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join('\n')
}

async function openPostgresState(url: string): Promise<StoredStateReader> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows: found } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const parts = found
    .filter(({ name }) => !NOT_OURS.test(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, (select md5(string_agg(t::text, E'\\n' order by t::text)) from "${name}" t) as rows`,
    )
  // Prepared: planning it takes longer than carrying it out.
  const whole = { name: 'whole', text: parts.join(' union all ') }
  const snapshot = { name: 'snapshot', text: 'select pg_current_snapshot()::text as now' }
  let [readSnapshot, state]: [string | undefined, StoredState] = [undefined, new Map()]
  return {
    read: async () => {
      // The transactions whose changes are seen: with the same ones seen, all rows are the same.
      const now = (await client.query<{ now: string }>(snapshot)).rows[0]?.now
      if (now !== readSnapshot) {
        const { rows } = await client.query<{ name: string; rows: string | null }>(whole)
        state = new Map(rows.map(({ name, rows: hash }) => [name, hash ?? '']))
        readSnapshot = now
      }
      return state
    },
    [Symbol.asyncDispose]: async () => client.end(),
  }
}
