import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'

/** Which rows a page is: pages are counted from 0, and `rows` of 0 means all, as far as 'all' goes. */
export function pageRows({ page, rows }: { page: number; rows: number }) {
  const limit = rows === 0 ? ALL_ROWS_LIMIT : rows
  return { limit, offset: page * limit }
}
