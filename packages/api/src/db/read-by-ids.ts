import { giveWay } from '../in-slices.ts'

/** SQLite takes 32,766 variables in a statement and PostgreSQL 65,535; a large site has more rows. */
const IDS_AT_ONCE = 500

/**
 * For an `in` list that may be as long as the site is large: `read` is called with parts of the ids,
 * one part after the other. Rows are in order within a part only.
 */
export async function readByIds<T>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    if (at > 0) await giveWay()
    for (const row of await read(ids.slice(at, at + IDS_AT_ONCE))) found.push(row)
  }
  return found
}
