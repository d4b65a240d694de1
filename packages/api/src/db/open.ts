/** Opens the database: SQLite in the data folder, or PostgreSQL when an address is given. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sql, type Kysely, type Transaction } from 'kysely'
import { DatabaseUnusable, reasonOf } from './faults.ts'
import { isOlderSchema, migrate, schemaOf } from './migrate.ts'
import { openPostgres } from './postgres/postgres.ts'
import { prepareSearch } from './prepare-search.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite/sqlite.ts'

export type DatabaseTarget = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

/** The database of an API with these settings. */
export function targetOf({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseTarget {
  return databaseUrl === null
    ? { kind: 'sqlite', file: sqliteFile({ dataDir }) }
    : { kind: 'postgres', url: databaseUrl }
}

export function sqliteFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'trunkline.db')
}

/**
 * What a store takes: the database, or the transaction that its service opened. Inside a
 * transaction hand on the transaction only: SQLite has one connection, so the database itself would
 * wait for the transaction's end, and the transaction for it.
 */
export type Db = Connection | Transaction<Database>
export type Connection = Kysely<Database>

/** A server that starts together with us, as after a power cut, may take longer than a call waits. */
const START_TRIES = 3

/**
 * Opened and migrated. `warn` gets what an admin should know. `beforeUpgrade` is called when the
 * database has an older schema, before anything is changed. Throws a sentence when it cannot be.
 */
export async function openDatabase(
  target: DatabaseTarget,
  warn: (sentence: string) => void = () => undefined,
  beforeUpgrade: (schema: string) => Promise<void> = async () => Promise.resolve(),
): Promise<Connection> {
  const db =
    target.kind === 'sqlite' ? await openSqlite(target.file, warn) : openPostgres(target.url)
  try {
    await assertAnswers(db, target)
    const schema = await schemaOf(db)
    if (schema !== null && isOlderSchema(schema)) await beforeUpgrade(schema)
    await migrate(db)
    if (target.kind === 'postgres') await prepareSearch(db, warn)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

/**
 * As it is, for whoever only looks: nothing is migrated. The file of SQLite must be there. Throws a
 * sentence when it does not answer.
 */
export async function openUnmigrated(target: DatabaseTarget): Promise<Connection> {
  const db =
    target.kind === 'sqlite'
      ? await openSqlite(target.file, () => undefined)
      : openPostgres(target.url)
  try {
    await assertAnswers(db, target)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** The address is shown without its password. */
async function assertAnswers(db: Connection, target: DatabaseTarget): Promise<void> {
  try {
    await firstAnswer(db, START_TRIES)
  } catch (error) {
    const where =
      target.kind === 'sqlite' ? `file ${target.file}` : `at ${new URL(target.url).host}`
    throw new DatabaseUnusable(where, target.kind, error)
  }
}

/** Only what said nothing in time is asked again: a refusal is an answer. */
async function firstAnswer(db: Connection, tries: number): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    if (tries === 1 || !reasonOf(error).includes('timeout')) throw error
    await firstAnswer(db, tries - 1)
  }
}
