import { findMark, mark } from '../../db/marks.ts'
import type { Db } from '../../db/open.ts'

const NAME = 'site authority'

/** Sealed; null before the first host is enrolled. */
export async function find(db: Db): Promise<string | null> {
  return findMark(db, NAME)
}

/** Answers the authority that stands in the database: another process may have been first. */
export async function keepFirst(db: Db, sealed: string): Promise<string> {
  return mark(db, NAME, sealed)
}
