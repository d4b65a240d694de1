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

/** A database cannot be opened at all. Its message has cause and fix. */
export class DatabaseUnusable extends Error {
  /** What is wrong, a sentence. */
  readonly what: string
  /** What to do, a sentence. */
  readonly fix: string

  /** `where`: as it stands after 'The database'; without a password. */
  constructor(where: string, kind: 'sqlite' | 'postgres', cause: unknown) {
    const what = `The database ${where} does not answer: ${reasonOf(cause)}.`
    const fix = kind === 'sqlite' ? FIX_OF_FILE : fixOfServer(cause)
    super(`${what} ${fix}`, { cause })
    this.name = 'DatabaseUnusable'
    this.what = what
    this.fix = fix
  }
}

const FIX_OF_FILE =
  'Check that this account may read and write the file, or restore a backup if it is damaged.'

/** What to do where a connection to PostgreSQL could not be opened, a sentence. */
export function fixOfServer(error: unknown): string {
  const code = error instanceof DatabaseAway ? codeOf(error.cause) : codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'Correct the host name in TRUNKLINE_DATABASE_URL.'
  }
  // https://www.postgresql.org/docs/15/errcodes-appendix.html
  if (code.startsWith('28')) return 'Correct the user and the password in TRUNKLINE_DATABASE_URL.'
  if (code === '3D000')
    return 'Create this database, or correct its name in TRUNKLINE_DATABASE_URL.'
  return 'Start the database server, or correct TRUNKLINE_DATABASE_URL.'
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
