/** Errors of the database, the same for SQLite and PostgreSQL: a broken rule, or no connection. */

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
/** SQLite reports ON DELETE RESTRICT as a trigger (stack.md section 4). */
const FOREIGN_KEY = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_CONSTRAINT_TRIGGER', '23503'])

/** Another row has this value already. */
export function uniqueViolation(error: unknown): boolean {
  return UNIQUE.has(codeOf(error))
}

/** A row that is named does not exist, or one that is removed is still in use. */
export function foreignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY.has(codeOf(error))
}

/**
 * PostgreSQL cannot be reached, or the connection broke while it was used: whether a change was kept is then
 * unknown. Its message is the reason, without any password.
 */
export class DatabaseAway extends Error {
  /** http/storage-fault.ts knows it by this. */
  readonly code = 'DATABASE_AWAY'

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
    this.name = 'DatabaseAway'
  }
}

/** Every connection to PostgreSQL was in use for as long as a call waits for one. */
export class DatabaseBusy extends Error {
  /** http/storage-fault.ts knows it by this. */
  readonly code = 'DATABASE_BUSY'

  constructor(waitedMs: number) {
    super(`Every connection to the database was in use for ${waitedMs / 1000} s.`)
    this.name = 'DatabaseBusy'
  }
}

/** The file of a running API was deleted, moved or replaced: what is written now would be lost. */
export class DatabaseFileGone extends Error {
  /** http/storage-fault.ts knows it by this. */
  readonly code = 'DATABASE_FILE_GONE'

  constructor(file: string) {
    super(`The database file ${file} was deleted, moved or replaced.`)
    this.name = 'DatabaseFileGone'
  }
}

/** https://www.postgresql.org/docs/15/errcodes-appendix.html: connection exceptions, and the server's end. */
const AWAY = /^(08|57P)/
const SOCKET_FAULT = /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/
/** pg has words, but no codes, for these. */
const AWAY_WORDS =
  /Connection terminated|connection error and is not queryable|Client was closed and is not queryable|connection has been discarded/

/** Whether a statement failed because its connection to PostgreSQL is gone. */
export function isConnectionFault(error: unknown): boolean {
  const code = codeOf(error)
  if (AWAY.test(code) || SOCKET_FAULT.test(code)) return true
  return error instanceof Error && AWAY_WORDS.test(error.message)
}

/** In the words of the database or the system. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** As the database or the system gives it; empty when there is none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
