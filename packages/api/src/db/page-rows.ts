import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { sql, type SelectQueryBuilder, type Simplify } from 'kysely'
import { giveWay } from '../in-slices.ts'

/** The page that a list is asked for. */
export interface AskedPage {
  /** Counted from 0. */
  page: number
  /** On a page; 0 means all, as far as 'all' goes. */
  rows: number
}

/** SQLite reads them in our own thread: a few milliseconds. */
const ROWS_AT_ONCE = 50

/** The rows of a page. A long one is read in parts, between which others have their turn. */
export async function readPage<T>(
  asked: AskedPage,
  read: (limit: number, offset: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const limit = asked.rows === 0 ? ALL_ROWS_LIMIT : asked.rows
  const offset = asked.page * limit
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

/** The rows of a page of `ordered`, and how many rows all its pages have. */
export async function listPage<DB, TB extends keyof DB, Row>(
  ordered: SelectQueryBuilder<DB, TB, Row>,
  asked: AskedPage,
): Promise<{ rows: Simplify<Row>[]; total: number }> {
  const { total } = await ordered
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  const rows = await readPage(asked, async (limit, offset) =>
    ordered.limit(limit).offset(offset).execute(),
  )
  return { rows, total }
}
