/** The database's own troubles that pass by themselves or by an admin's hand: busy, full, away. */
import { AppError } from '../errors.ts'

const RETRY_S = 2
/** A lost connection is opened again by the next call. */
const AWAY_RETRY_S = 1
/** https://www.postgresql.org/docs/15/errcodes-appendix.html: out of memory, of connections, of room. */
const POSTGRES_RESOURCES = /^53/
/** 507 Insufficient Storage says what is wrong; 503 would promise that waiting helps. */
const INSUFFICIENT_STORAGE = 507

/** A quota, or a limit on the size of files, is reported as a failed write. */
const STORAGE_FULL = /^(SQLITE_FULL|SQLITE_IOERR_(WRITE|SHM.*|TRUNCATE|FSYNC|DIR_FSYNC)|53100)$/

/** Whether nothing can be written, while reading goes on. */
export function isStorageFull(error: unknown): boolean {
  return STORAGE_FULL.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Null when the error is none of these. */
export function storageFault(error: unknown): AppError | null {
  const code = codeOf(error)
  if (isStorageFull(error)) {
    return new AppError(
      'unavailable',
      'The disk of the database is full, or cannot be written. Nothing was changed. Free some space, then try again.',
      { httpStatus: INSUFFICIENT_STORAGE, cause: error },
    )
  }
  if (code === 'DATABASE_AWAY') {
    return new AppError(
      'unavailable',
      'The API has no connection to its database. It reconnects by itself: try again in a moment, and check first whether a change of yours was saved. If this lasts, check the database server.',
      { retryAfterS: AWAY_RETRY_S, cause: error },
    )
  }
  if (code === 'DATABASE_BUSY') {
    return new AppError(
      'unavailable',
      'The database is busy: other calls had all of its connections for too long. Try again in a moment, and check first whether a change of yours was saved. If this lasts, look for a lock in the database server.',
      { retryAfterS: RETRY_S, cause: error },
    )
  }
  if (code === 'DATABASE_FILE_GONE') {
    return new AppError(
      'unavailable',
      'The database file was deleted, moved or replaced while the API was running. Nothing was changed. Put the data folder back, or restore a backup and restart the API.',
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new AppError(
      'unavailable',
      'Another program has locked the database, such as a backup or an SQLite shell. Nothing was changed. Try again in a moment; if this lasts, end that program.',
      { retryAfterS: RETRY_S, cause: error },
    )
  }
  if (POSTGRES_RESOURCES.test(code)) {
    return new AppError(
      'unavailable',
      'The database does not answer right now. Nothing was changed. Try again in a moment.',
      { retryAfterS: RETRY_S, cause: error },
    )
  }
  return null
}
