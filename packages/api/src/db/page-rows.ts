import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import { sql, type SelectQueryBuilder, type Simplify, type SqlBool } from 'kysely'
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

export interface List<DB, M extends keyof DB, R extends keyof DB, Row> {
  /** Which rows are listed: a query without columns, whose filters an index answers. */
  matching: SelectQueryBuilder<DB, M, object>
  /** The same table and what belongs to it, without filters. */
  rows: SelectQueryBuilder<DB, R, Row>
  /** Columns of the table; the last is its id. */
  order: readonly string[]
  /** How many rows match, where that is known; null: they are counted. */
  total?: number | null
}

/**
 * The rows of a page, and how many rows all its pages have. The page is found in an index, from the
 * end that is nearer, and only its rows are read.
 */
export async function listPage<DB, M extends keyof DB, R extends keyof DB, Row>(
  { matching, rows, order, total: known = null }: List<DB, M, R, Row>,
  asked: AskedPage,
): Promise<{ rows: Simplify<Row>[]; total: number }> {
  const total = known ?? (await countOf(matching))
  const id = sql.ref(order.at(-1) ?? 'id')
  const found = await readPage(asked, async (limit, offset) => {
    const length = Math.min(limit, total - offset)
    if (length <= 0) return []
    const isNearerToEnd = offset > total / 2
    const skipped = isNearerToEnd ? total - offset - length : offset
    const page = inOrder(matching.select(id.as('id')), order, isNearerToEnd ? 'desc' : 'asc')
      .limit(length)
      .offset(skipped)
    return inOrder(rows.where(sql<SqlBool>`${id} in ${page}`), order, 'asc').execute()
  })
  return { rows: found, total }
}

async function countOf<DB, M extends keyof DB>(
  matching: SelectQueryBuilder<DB, M, object>,
): Promise<number> {
  const counted = matching.select(sql<number>`count(*)`.as('total'))
  const { total } = await counted.$castTo<{ total: number }>().executeTakeFirstOrThrow()
  return total
}

function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: readonly string[],
  direction: 'asc' | 'desc',
): SelectQueryBuilder<DB, TB, Row> {
  return order.reduce((ordered, column) => ordered.orderBy(sql.ref(column), direction), query)
}
