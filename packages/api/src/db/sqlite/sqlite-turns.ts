/**
 * Whose turn it is on the one connection of an SQLite file, and which transactions share a commit.
 *
 * A durable commit waits for the disk, and all of us with it. So transactions that come in the same
 * turn of the event loop run one after the other within one transaction of the database, each but the
 * first in a savepoint of its own, so that each is kept or undone by itself; then one commit makes them durable,
 * and only then each is told that it is. Nobody reads what is not durable: whatever is no transaction
 * waits for the commit, which is at the end of that turn. It does not bring the commit forward: a save
 * begins with what it reads, and each of several at once would end the commit of the one before.
 */
import type Sqlite from 'better-sqlite3'

/** Whoever reads waits for so many at most. */
const SHARED_LIMIT = 32

const UNDONE = 'The database has undone the transaction.'

interface Waiting {
  isTransaction: boolean
  begin: () => void
}

export class Turns {
  readonly #database: Sqlite.Database
  /** Throws when nothing may be written. */
  readonly #assertWritable: () => void
  readonly #queue: Waiting[] = []
  #isTaken = false
  /** Nothing of others is in the transaction of the database yet: it needs no savepoint. */
  #isAlone = false
  /** Of those that are done, and wait for the commit. */
  #uncommitted: PromiseWithResolvers<void>[] = []
  #isCommitPlanned = false
  /** Their turn of the event loop is over. */
  #isDue = false
  /** Why the database has undone the whole transaction by itself, such as a full disk. */
  #undoneBy: unknown = null

  constructor(database: Sqlite.Database, assertWritable: () => void) {
    this.#database = database
    this.#assertWritable = assertWritable
  }

  /** Resolves when it is one's turn, with what ends it. */
  async take(): Promise<() => void> {
    await this.#myTurn(false)
    return () => this.#next()
  }

  /** Resolves when it is one's turn, within a transaction that has the lock for writing. */
  async begin(): Promise<void> {
    await this.#myTurn(true)
    try {
      this.#isAlone = !this.#database.inTransaction
      if (this.#isAlone) this.#undoneBy = null
      // With the lock for writing: there is no waiting for it once something was read.
      this.#database.exec(this.#isAlone ? 'begin immediate' : 'savepoint turn')
      // Whatever becomes of this one: the lock is not kept beyond this turn of the event loop.
      this.#commitSoon()
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** Resolves when it is durable. Throws when it is undone instead. */
  async commit(): Promise<void> {
    const durable = Promise.withResolvers<void>()
    try {
      if (!this.#database.inTransaction) throw this.#fault()
      if (!this.#isAlone) this.#database.exec('release turn')
      this.#uncommitted.push(durable)
    } catch (error) {
      durable.reject(error)
    }
    this.#next()
    return durable.promise
  }

  #commitSoon(): void {
    if (this.#isCommitPlanned) return
    this.#isCommitPlanned = true
    setImmediate(() => {
      this.#isCommitPlanned = false
      this.#isDue = true
      if (!this.#isTaken) this.#next()
    })
  }

  /** A full disk ends the whole transaction by itself; a second end would fail, and hide why. */
  rollback(): void {
    try {
      const undo = this.#isAlone ? 'rollback' : 'rollback to turn; release turn'
      if (this.#database.inTransaction) this.#database.exec(undo)
    } finally {
      this.#next()
    }
  }

  /** A statement of a transaction has failed. */
  failed(error: unknown): void {
    if (!this.#database.inTransaction) this.#undoneBy = error
  }

  /** All that wait for it are durable then, or none is. */
  commitAll(): void {
    const waiting = this.#uncommitted
    this.#uncommitted = []
    this.#isDue = false
    try {
      if (waiting.length > 0) {
        if (!this.#database.inTransaction) throw this.#fault()
        this.#assertWritable()
      }
      if (this.#database.inTransaction) this.#database.exec('commit')
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('rollback')
      for (const { reject } of waiting) reject(error)
    }
  }

  async #myTurn(isTransaction: boolean): Promise<void> {
    const mayBegin = isTransaction || !this.#database.inTransaction
    if (this.#isTaken || !mayBegin) {
      return new Promise((begin) => {
        this.#queue.push({ isTransaction, begin })
      })
    }
    this.#isTaken = true
  }

  #next(): void {
    const isUndone = !this.#database.inTransaction
    if (this.#isDue || isUndone || this.#uncommitted.length >= SHARED_LIMIT) this.commitAll()
    const next = this.#shift()
    this.#isTaken = next !== undefined
    next?.begin()
  }

  /** Until the commit those that share it come first. */
  #shift(): Waiting | undefined {
    if (!this.#database.inTransaction) return this.#queue.shift()
    const at = this.#queue.findIndex(({ isTransaction }) => isTransaction)
    return at === -1 ? undefined : this.#queue.splice(at, 1)[0]
  }

  #fault(): Error {
    return this.#undoneBy instanceof Error ? this.#undoneBy : new Error(UNDONE)
  }
}
