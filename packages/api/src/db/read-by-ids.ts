import { giveWay } from '../in-slices.ts'

/** SQLite reads them in our own thread: about a millisecond, even of feeders with their settings. */
const IDS_AT_ONCE = 50

/**
 * For an `in` list that may be as long as the site is large: `read` is called with parts of the ids,
 * one part after the other. Rows are in order within a part only.
 * @param idsAtOnce more than that where rows are short
 */
export async function readByIds<T>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<readonly T[]>,
  idsAtOnce = IDS_AT_ONCE,
): Promise<T[]> {
  const found: T[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    // SQLite answers at once: what one query after the other reads would be one long piece of work.
    if (ids.length > idsAtOnce) await giveWay()
    for (const row of await read(ids.slice(at, at + idsAtOnce))) found.push(row)
  }
  return found
}
