/** Opens the database: SQLite in the data folder, or PostgreSQL when an address is given. */
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, sql, SqliteDialect, type Transaction } from 'kysely'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Database } from './schema.ts'

export type DatabaseTarget = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

/**
 * What a store takes: the database, or the transaction that its service opened. Inside a
 * transaction hand on the transaction only: SQLite has one connection, so the database itself would
 * wait for the transaction's end, and the transaction for it.
 */
export type Db = Connection | Transaction<Database>
export type Connection = Kysely<Database>

/** A waiting SQLite blocks the whole process, so it waits shortly (quality.md, lab proof 7). */
const SQLITE_BUSY_MS = 200
const STATEMENTS_LIMIT = 300
const POSTGRES_CONNECTIONS = 8
const POSTGRES_CONNECT_MS = 5000
/** A server that starts together with us, as after a power cut, may take longer than a call waits. */
const START_TRIES = 3

/** Opened and migrated. Throws a sentence when it cannot be. */
export async function openDatabase(target: DatabaseTarget): Promise<Connection> {
  const db = target.kind === 'sqlite' ? openSqlite(target.file) : openPostgres(target.url)
  try {
    await assertAnswers(db, target)
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

function openSqlite(file: string): Connection {
  const database = sqliteFile(file)
  // FULL: an acknowledged change survives power loss; costs 0.2 ms a commit (stack.md section 4).
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  return new Kysely<Database>({ dialect: new SqliteDialect({ database: remembering(database) }) })
}

/** A statement is compiled once: our stores say the same few again and again. */
function remembering(database: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>()
  return {
    close: () => database.close(),
    prepare(text: string) {
      const known = statements.get(text)
      if (known !== undefined) return known
      // Lists of ids make statements of every length: then start anew rather than keep them all.
      if (statements.size >= STATEMENTS_LIMIT) statements.clear()
      const statement = database.prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}

function sqliteFile(file: string): Sqlite.Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // The folder may be somebody else's, and open. SQLite gives its side files the mode of this one.
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
    return new Sqlite(file, { timeout: SQLITE_BUSY_MS })
  } catch (error) {
    throw new Error(
      `The database file ${file} cannot be opened: ${reasonOf(error)}. Set TRUNKLINE_DATA_DIR to a folder that may be written.`,
      { cause: error },
    )
  }
}

/** The address is told without its password. */
async function assertAnswers(db: Connection, target: DatabaseTarget): Promise<void> {
  try {
    await firstAnswer(db, START_TRIES)
  } catch (error) {
    const where =
      target.kind === 'sqlite' ? `file ${target.file}` : `at ${new URL(target.url).host}`
    throw new Error(`The database ${where} does not answer: ${reasonOf(error)}.`, { cause: error })
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

function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function openPostgres(url: string): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    types: { getTypeParser: typeParser },
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end us.
  pool.on('error', () => undefined)
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

const PG_BIGINT = 20

/** count(*) is a bigint, which pg hands over as text; SQLite's is a number. */
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === PG_BIGINT) return Number
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
}
