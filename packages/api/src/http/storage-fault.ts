/** The database's own troubles that pass by themselves or by an admin's hand: busy, full, away. */
import { AppError } from '../errors.ts'

const RETRY_S = 2
/** https://www.postgresql.org/docs/15/errcodes-appendix.html: connection, resources, shutdown. */
const POSTGRES_AWAY = /^(08|53|57P)/
/** 507 Insufficient Storage says what is wrong; 503 would promise that waiting helps. */
const INSUFFICIENT_STORAGE = 507

/** Null when the error is none of these. */
export function storageFault(error: unknown): AppError | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_FULL' || code === '53100') {
    return new AppError('unavailable', 'The disk of the database is full. Nothing was changed.', {
      httpStatus: INSUFFICIENT_STORAGE,
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_BUSY') || POSTGRES_AWAY.test(code) || isPoolFault(error)) {
    return new AppError(
      'unavailable',
      'The database does not answer right now. Nothing was changed. Try again in a moment.',
      { retryAfterS: RETRY_S, cause: error },
    )
  }
  return null
}

/** pg's pool has words, but no codes, for these. */
function isPoolFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
}
