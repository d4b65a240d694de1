/**
 * Databases of tests: migrated once in a run and copied, SQLite for each test, PostgreSQL for each
 * file and emptied between tests. Every suite of a store runs on both.
 */
import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, inject } from 'vitest'
import { openDatabase, type Connection, type DatabaseTarget } from '../db/open.ts'
import { makeFolder } from './folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A file: migrated, empty, to be copied. */
    sqliteTemplate: string
    /** A PostgreSQL of this test run, with the right to create databases. */
    postgresUrl: string
    /** The name of a database in it: migrated, empty, to be copied. */
    postgresTemplate: string
  }
}

/** An open, migrated, empty database; it is gone after the test. */
export type OpenTestDatabase = () => Promise<Connection>

/**
 * Runs the suite twice. `open` may be called several times in a test, each time for another
 * database. `openNew` migrates one that is entirely new and that no other test gets: for tests of
 * the migrations, and those that change the schema.
 */
export function describeOnBothDatabases(
  name: string,
  suite: (open: OpenTestDatabase, openNew: OpenTestDatabase, kind: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe.each(['SQLite', 'PostgreSQL'] as const)(`${name} on %s`, (kind) => {
    const opened: AsyncDisposable[] = []
    afterEach(async () => {
      for (const item of opened.splice(0)) await item[Symbol.asyncDispose]()
    })
    const opener = (isNew: boolean) => async () => {
      const { db, disposable } = await (kind === 'SQLite' ? testSqlite(isNew) : testPostgres(isNew))
      opened.push(disposable)
      return db
    }
    suite(opener(false), opener(true), kind)
  })
}

interface TestDatabase {
  db: Connection
  disposable: AsyncDisposable
}

async function testSqlite(isNew: boolean): Promise<TestDatabase> {
  const folder = await makeFolder()
  const file = join(folder.path, 'test.db')
  if (!isNew) await copySqliteTemplate(file)
  return openTestDatabase({ kind: 'sqlite', file }, folder)
}

async function testPostgres(isNew: boolean): Promise<TestDatabase> {
  const created = isNew ? await createNewDatabase() : await createPostgresDatabase()
  return openTestDatabase({ kind: 'postgres', url: created.url }, created)
}

async function openTestDatabase(
  target: DatabaseTarget,
  place: AsyncDisposable,
): Promise<TestDatabase> {
  const stack = new AsyncDisposableStack()
  stack.use(place)
  const db = await openDatabase(target)
  stack.defer(async () => db.destroy())
  return { db, disposable: stack }
}

/** A migrated, empty SQLite database in this file. */
export async function copySqliteTemplate(file: string): Promise<void> {
  await copyFile(inject('sqliteTemplate'), file)
}

interface PostgresDatabase {
  readonly url: string
  /** Connected to it. */
  readonly cleaner: pg.Client
}

/** Databases that no test uses at this moment: migrated and empty. */
const unused: PostgresDatabase[] = []

/** A migrated, empty database in the PostgreSQL of this test run; emptied for others when disposed. */
export async function createPostgresDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const database = unused.pop() ?? (await copyPostgresTemplate())
  return {
    url: database.url,
    async [Symbol.asyncDispose]() {
      await empty(database.cleaner)
      unused.push(database)
    },
  }
}

async function copyPostgresTemplate(): Promise<PostgresDatabase> {
  const { url } = await createDatabase(`template ${inject('postgresTemplate')}`)
  const cleaner = new pg.Client({ connectionString: url })
  // It stays open until the server of this run ends.
  cleaner.on('error', () => undefined)
  await cleaner.connect()
  // Foreign keys are triggers: without them tables may be emptied in any order.
  await cleaner.query('set session_replication_role = replica')
  return { url, cleaner }
}

/** Deleting is a hundred times cheaper than truncating, for the few rows of a test. */
async function empty(cleaner: pg.Client): Promise<void> {
  // As if the database were dropped: what a test left connected is cut, and its locks are gone.
  await cleaner.query(
    'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const { rows } = await cleaner.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  )
  await cleaner.query(rows.map(({ name }) => `delete from ${name}`).join(';'))
}

/** Without any table of ours; dropped when disposed. */
export async function createNewDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const { name, url } = await createDatabase()
  const drop = async () => runOn(inject('postgresUrl'), `drop database ${name} with (force)`)
  return { url, [Symbol.asyncDispose]: drop }
}

async function createDatabase(options = ''): Promise<{ name: string; url: string }> {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name} ${options}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.toString() }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
