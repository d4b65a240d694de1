/**
 * Statements and transactions take turns on the one handle of an SQLite file. What finds the file locked by another
 * program gives its turn back and tries again later: SQLite's own waiting would stop the whole process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { codeOf } from './faults.ts'
import type { FilePlace } from './file-place.ts'

const STATEMENTS_LIMIT = 300
const LOCKED_PAUSE_MS = 20
/** A change waits so long for another program; a backup or a command of ours takes less. */
const LOCKED_LIMIT_MS = 2000

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** Tries again as long as another program has the lock. Throws SQLITE_BUSY after two seconds. */
export async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + LOCKED_LIMIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() >= untilMs) throw error
    }
    await pause(LOCKED_PAUSE_MS)
  }
}

/** One file, its compiled statements, and whose turn it is. */
class Handle {
  readonly database: Sqlite.Database
  readonly place: FilePlace
  readonly #statements = new Map<string, Sqlite.Statement>()
  #last: Promise<void> = Promise.resolve()

  constructor(database: Sqlite.Database, place: FilePlace) {
    this.database = database
    this.place = place
  }

  close(): void {
    this.database.close()
  }

  /** A statement is compiled once: our stores say the same few again and again. */
  prepare(text: string): Sqlite.Statement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    // Lists of ids make statements of every length: then start anew rather than keep them all.
    if (this.#statements.size >= STATEMENTS_LIMIT) this.#statements.clear()
    const statement = this.database.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }

  /** Resolves when it is one's turn, with what ends it. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

export class FileDialect extends SqliteDialect {
  readonly #handle: Handle

  constructor(database: Sqlite.Database, place: FilePlace) {
    const handle = new Handle(database, place)
    super({ database: handle })
    this.#handle = handle
  }

  override createDriver(): Driver {
    return new FileDriver(this.#handle)
  }

  override createAdapter(): SqliteAdapter {
    return new TurnsAdapter()
  }
}

/** Kysely would hold everybody up while one waits for another program. */
class TurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class FileDriver implements Driver {
  readonly #handle: Handle
  readonly #driver: SqliteDriver

  constructor(handle: Handle) {
    this.#handle = handle
    this.#driver = new SqliteDriver({ database: handle })
  }

  async init(): Promise<void> {
    await this.#driver.init()
  }

  async acquireConnection(): Promise<FileConnection> {
    return new FileConnection(await this.#driver.acquireConnection(), this.#handle)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as FileConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as FileConnection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as FileConnection).rollback()
  }

  async releaseConnection(): Promise<void> {
    // Its turn has ended with its statement or transaction.
  }

  async destroy(): Promise<void> {
    await this.#driver.destroy()
  }
}

/** Outside of a transaction each statement is a turn of its own. */
class FileConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #handle: Handle
  /** Within a transaction: what ends its turn. */
  #endTurn: (() => void) | null = null

  constructor(inner: DatabaseConnection, handle: Handle) {
    this.#inner = inner
    this.#handle = handle
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn !== null) return this.#inner.executeQuery<R>(query)
    return untilUnlocked(async () => {
      const endTurn = await this.#handle.takeTurn()
      try {
        if (!this.#handle.prepare(query.sql).readonly) this.#handle.place.assertKept()
        return await this.#inner.executeQuery<R>(query)
      } finally {
        endTurn()
      }
    })
  }

  streamQuery<R>(query: CompiledQuery, rows: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, rows)
  }

  /** With the lock for writing: there is no waiting for it once something was read. */
  async begin(): Promise<void> {
    this.#endTurn = await untilUnlocked(async () => {
      const endTurn = await this.#handle.takeTurn()
      try {
        this.#handle.place.assertKept()
        await this.#inner.executeQuery(BEGIN)
        return endTurn
      } catch (error) {
        endTurn()
        throw error
      }
    })
  }

  async commit(): Promise<void> {
    this.#handle.place.assertKept()
    await this.#inner.executeQuery(COMMIT)
    this.#end()
  }

  /** A full disk ends the transaction by itself; a second end would fail, and hide why. */
  async rollback(): Promise<void> {
    try {
      if (this.#handle.database.inTransaction) await this.#inner.executeQuery(ROLLBACK)
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#endTurn?.()
    this.#endTurn = null
  }
}
