/**
 * SQLite's log of what was written: pages, one after the other, until they are moved to the database file.
 * Format: https://www.sqlite.org/fileformat2.html#walformat
 */
import { closeSync, openSync, readSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

const LOCK_WAIT_MS = 5000
const TRY_AGAIN_MS = 2
/** So many a save leaves in the log before it moves them: https://www.sqlite.org/pragma.html#pragma_wal_autocheckpoint */
const LEFT_PAGES = 1000
const HEAD_BYTES = 32
const PAGE_HEAD_BYTES = 24

interface LoggedPage {
  readonly content: Buffer
  /** Where it belongs in the database file, in bytes. */
  readonly at: number
}

/** What has to be done to a copy of the database file. */
export interface LoggedPages {
  /** Of the database; null when nothing is in the log. */
  readonly bytes: number | null
  readonly newest: Iterable<LoggedPage>
}

const NOTHING: LoggedPages = { bytes: null, newest: [] }

/**
 * The log of a database that others use, kept whole: SQLite begins a log anew only while nobody reads from it, so one
 * of two connections always does. They take turns, because what is newer than the reader's moment is not moved to the
 * file.
 */
export class KeptLog implements Disposable {
  readonly #file: string
  #reader: Sqlite.Database
  #other: Sqlite.Database
  /** Pages in the log just after the reader began; those behind them are certainly not in the file yet. */
  #knownPages: number
  /** SQLite chooses another with each log. */
  #salt: string | null = null

  /** Throws when the database cannot be read. */
  constructor(file: string) {
    this.#file = file
    const options = { fileMustExist: true, timeout: LOCK_WAIT_MS }
    this.#reader = new Sqlite(file, options)
    this.#other = new Sqlite(file, options)
    beginReading(this.#reader)
    this.#knownPages = this.#move()
  }

  /** Moves pages to the file, as saves do, so that no save has to move them all when the log is no longer kept. */
  moveToFile(): void {
    const pages = this.#move()
    // All of the log was in the file, so the reader has no need of it, and nothing of the new log is in the file yet.
    if (pages < this.#knownPages) this.#knownPages = 0
    if (pages < this.#knownPages + LEFT_PAGES) return
    // Some of these are not in the file, and cannot be moved there now; so the other one reads from this log.
    beginReading(this.#other)
    this.#reader.exec('commit')
    ;[this.#reader, this.#other] = [this.#other, this.#reader]
    this.#knownPages = this.#move()
    this.#salt ??= this.#withLog((log) => saltOf(log))
  }

  /**
   * What was written since the log was kept, and possibly something that is older. `use` reads it before it returns,
   * and may move pages.
   */
  pages<T>(use: (pages: LoggedPages) => T): T {
    if (this.#move() === 0) return use(NOTHING)
    return this.#withLog((log) => {
      const salt = saltOf(log)
      if (this.#salt !== null && salt !== this.#salt) {
        throw new Error('the log of the database was begun anew')
      }
      // A log that was all in the file already may be begun anew now: then its pages change, and none is needed.
      return use(pagesOf(log, this.#move(), () => saltOf(log) === salt))
    })
  }

  [Symbol.dispose](): void {
    this.#reader.close()
    this.#other.close()
  }

  /** As far as the reader allows. Answers how many pages are in the log; none where a database has no log. */
  #move(): number {
    const untilMs = performance.now() + LOCK_WAIT_MS
    for (;;) {
      const [state] = this.#other.pragma('wal_checkpoint(PASSIVE)') as {
        busy: number
        log: number
      }[]
      if (state !== undefined && state.busy === 0) return Math.max(0, state.log)
      // Somebody else is moving pages.
      if (performance.now() > untilMs) throw new Error('the log of the database is in use')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS)
    }
  }

  /** SQLite keeps no locks on the log itself, so closing it here ends none. */
  #withLog<T>(use: (log: number) => T): T {
    const log = openSync(`${this.#file}-wal`, 'r')
    try {
      return use(log)
    } finally {
      closeSync(log)
    }
  }
}

function beginReading(database: Sqlite.Database): void {
  database.exec('begin')
  database.prepare('select name from sqlite_master limit 1').get()
}

function pagesOf(log: number, count: number, isKept: () => boolean): LoggedPages {
  const pageBytes = bytesAt(log, 0, HEAD_BYTES).readUInt32BE(8)
  const startOf = (index: number) => HEAD_BYTES + index * (PAGE_HEAD_BYTES + pageBytes)
  const newest = new Map<number, number>()
  let databasePages = 0
  for (let index = 0; index < count; index += 1) {
    const head = bytesAt(log, startOf(index), PAGE_HEAD_BYTES)
    newest.set(head.readUInt32BE(0), index)
    // Of the last page of a transaction: how large the database is then.
    databasePages = head.readUInt32BE(4)
  }
  if (!isKept()) return NOTHING
  const ofDatabase = [...newest].filter(([page]) => page <= databasePages).sort(([a], [b]) => a - b)
  return { bytes: databasePages * pageBytes, newest: contents() }

  function* contents(): Generator<LoggedPage> {
    for (const [page, index] of ofDatabase) {
      const content = bytesAt(log, startOf(index) + PAGE_HEAD_BYTES, pageBytes)
      // Looked at afterwards: a new log begins with its salt.
      if (!isKept()) return
      yield { content, at: (page - 1) * pageBytes }
    }
  }
}

function saltOf(log: number): string {
  return bytesAt(log, 16, 8).toString('hex')
}

function bytesAt(file: number, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  if (readSync(file, bytes, 0, count, at) < count)
    throw new Error('the log of the database is cut short')
  return bytes
}
