import { findMark, mark } from '../../db/marks.ts'
import type { Db } from '../../db/open.ts'

/** Which links its certificates are for: those that the console opens, or those that hosts open. */
export type AuthorityName = 'site authority' | 'dial-in authority'

/** Sealed; null before the first certificate of its kind is made. */
export async function find(db: Db, name: AuthorityName): Promise<string | null> {
  return findMark(db, name)
}

/** Answers the authority that stands in the database: another process may have been first. */
export async function keepFirst(db: Db, name: AuthorityName, sealed: string): Promise<string> {
  return mark(db, name, sealed)
}
