/** The store tests' databases: every suite runs on SQLite and on a real PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, inject } from 'vitest'
import { openDatabase, type Connection } from '../db/open.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL of this test run, with the right to create databases. */
    postgresUrl: string
  }
}

/** An open, migrated, empty database; it is gone after the test. */
export type OpenTestDatabase = () => Promise<Connection>

/**
 * Runs the suite twice. `open` may be called several times in a test, each time for another
 * database.
 */
export function describeOnBothDatabases(
  name: string,
  suite: (open: OpenTestDatabase) => void,
): void {
  describe.each(['SQLite', 'PostgreSQL'] as const)(`${name} on %s`, (kind) => {
    const opened: AsyncDisposable[] = []
    afterEach(async () => {
      for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
    })
    suite(async () => {
      const { db, disposable } = await (kind === 'SQLite' ? testSqlite() : testPostgres())
      opened.push(disposable)
      return db
    })
  })
}

interface TestDatabase {
  db: Connection
  disposable: AsyncDisposable
}

async function testSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-db-'))
  const db = await openDatabase({ kind: 'sqlite', file: join(folder, 'test.db') })
  return {
    db,
    disposable: {
      async [Symbol.asyncDispose]() {
        await db.destroy()
        await rm(folder, { recursive: true, force: true })
      },
    },
  }
}

async function testPostgres(): Promise<TestDatabase> {
  const created = await createPostgresDatabase()
  const db = await openDatabase({ kind: 'postgres', url: created.url })
  return {
    db,
    disposable: {
      async [Symbol.asyncDispose]() {
        await db.destroy()
        await created[Symbol.asyncDispose]()
      },
    },
  }
}

/** An empty database in the PostgreSQL of this test run; dropped when disposed. */
export async function createPostgresDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    [Symbol.asyncDispose]: async () => runOn(server, `drop database ${name} with (force)`),
  }
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
