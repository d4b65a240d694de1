import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { giveWay } from '../in-slices.ts'

/** Which rows a page is: pages are counted from 0, and `rows` of 0 means all, as far as 'all' goes. */
function pageRows({ page, rows }: { page: number; rows: number }) {
  const limit = rows === 0 ? ALL_ROWS_LIMIT : rows
  return { limit, offset: page * limit }
}

/** SQLite reads them in our own thread: a few milliseconds. */
const ROWS_AT_ONCE = 50

/** The rows of a page. A long one is read in parts, between which others have their turn. */
export async function readPage<T>(
  asked: { page: number; rows: number },
  read: (limit: number, offset: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const { limit, offset } = pageRows(asked)
  const rows: T[] = []
  while (rows.length < limit) {
    const most = Math.min(ROWS_AT_ONCE, limit - rows.length)
    const part = await read(most, offset + rows.length)
    for (const row of part) rows.push(row)
    if (part.length < most) break
    if (rows.length < limit) await giveWay()
  }
  return rows
}
