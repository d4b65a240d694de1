/**
 * Statements and transactions take turns on the one handle of an SQLite file. What finds the file locked by another
 * program gives its turn back and tries again later: SQLite's own waiting would stop the whole process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import {
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { codeOf } from '../faults.ts'
import type { FilePlace } from './file-place.ts'
import { Turns } from './sqlite-turns.ts'
import { changedBy, type ListSource, type WriteCounts } from '../write-counts.ts'

const STATEMENTS_LIMIT = 300
const LOCKED_PAUSE_MS = 20
/** A change waits so long for another program; a backup or a command of ours takes less. */
const LOCKED_LIMIT_MS = 2000

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
  readonly turns: Turns
  readonly counts: WriteCounts
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(database: Sqlite.Database, place: FilePlace, counts: WriteCounts) {
    this.database = database
    this.place = place
    this.turns = new Turns(database, () => place.assertKept())
    this.counts = counts
  }

  close(): void {
    this.turns.commitAll()
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
}

export class FileDialect extends SqliteDialect {
  readonly #handle: Handle

  constructor(database: Sqlite.Database, place: FilePlace, counts: WriteCounts) {
    const handle = new Handle(database, place, counts)
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

class TurnsAdapter extends SqliteAdapter {
  /** Kysely would hold everybody up while one waits for another program. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite undoes changes of tables as well, which Kysely does not use: an upgrade that is killed would stay half. */
  override get supportsTransactionalDdl(): boolean {
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
  #isInTransaction = false
  /** By the transaction so far. */
  readonly #changed = new Set<ListSource>()

  constructor(inner: DatabaseConnection, handle: Handle) {
    this.#inner = inner
    this.#handle = handle
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const changed = changedBy(query.sql)
    if (this.#isInTransaction) {
      for (const source of changed) this.#changed.add(source)
      return this.#executeInTransaction<R>(query)
    }
    return untilUnlocked(async () => {
      const endTurn = await this.#handle.turns.take()
      try {
        if (!this.#handle.prepare(query.sql).readonly) this.#handle.place.assertKept()
        return await this.#inner.executeQuery<R>(query)
      } finally {
        this.#handle.counts.add(changed)
        endTurn()
      }
    })
  }

  async #executeInTransaction<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#inner.executeQuery<R>(query)
    } catch (error) {
      this.#handle.turns.failed(error)
      throw error
    }
  }

  streamQuery<R>(query: CompiledQuery, rows: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, rows)
  }

  async begin(): Promise<void> {
    await untilUnlocked(async () => this.#handle.turns.begin())
    this.#isInTransaction = true
  }

  /** Kysely rolls back what could not be committed, and by then nothing is left of it. */
  async commit(): Promise<void> {
    this.#isInTransaction = false
    try {
      await this.#handle.turns.commit()
    } finally {
      this.#handle.counts.add(this.#changed)
      this.#changed.clear()
    }
  }

  async rollback(): Promise<void> {
    this.#changed.clear()
    if (this.#isInTransaction) this.#handle.turns.rollback()
    this.#isInTransaction = false
    return Promise.resolve()
  }
}
