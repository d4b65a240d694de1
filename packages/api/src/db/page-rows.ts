import { ALL_ROWS_LIMIT, type Sort } from '@trunkline/contract/paging.schema'
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

/** How a list is ordered. */
export interface Order {
  /** Columns of the table, all in the same direction; the last is its id. */
  columns: readonly string[]
  isDescending: boolean
}

/**
 * What a list is asked to be sorted by, as columns of its table. `usual`: its own order; `by`: the
 * columns that each choice stands for, which an index has in this order.
 */
export function orderOf<C extends string>(
  sort: Sort<C>,
  usual: readonly string[],
  by: Readonly<Record<C, readonly string[]>>,
): Order {
  if (sort === '') return { columns: usual, isDescending: false }
  const isDescending = sort.startsWith('-')
  // A choice is a column, or a column behind a '-'.
  const column = (isDescending ? sort.slice(1) : sort) as C
  return { columns: by[column], isDescending }
}

export interface List<DB, M extends keyof DB, R extends keyof DB, Row> {
  /** Which rows are listed: a query without columns, whose filters an index answers. */
  matching: SelectQueryBuilder<DB, M, object>
  /** The same table and what belongs to it, without filters. */
  rows: SelectQueryBuilder<DB, R, Row>
  order: Order
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
  const { columns, isDescending } = order
  const id = sql.ref(columns.at(-1) ?? 'id')
  const found = await readPage(asked, async (limit, offset) => {
    const length = Math.min(limit, total - offset)
    if (length <= 0) return []
    const isNearerToEnd = offset > total / 2
    const skipped = isNearerToEnd ? total - offset - length : offset
    const fromHere = { columns, isDescending: isDescending !== isNearerToEnd }
    const page = inOrder(matching.select(id.as('id')), fromHere)
      .limit(length)
      .offset(skipped)
    return inOrder(rows.where(sql<SqlBool>`${id} in ${page}`), order).execute()
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
  { columns, isDescending }: Order,
): SelectQueryBuilder<DB, TB, Row> {
  const direction = isDescending ? 'desc' : 'asc'
  return columns.reduce((ordered, column) => ordered.orderBy(sql.ref(column), direction), query)
}
