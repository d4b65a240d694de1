/** Paging as the wire has it: page is zero based, a size of 0 means all (API-72). */
import { z } from 'zod'
import { unlessEmpty, wholeNumber } from './text.schema.ts'

/** A size of 0 answers all rows; this is where 'all' ends, so that one call cannot take the API down. */
export const ALL_ROWS_LIMIT = 10_000

const PageNumber = wholeNumber(0, 1_000_000, 'must be a page number, 0 for the first.')
const Rows = wholeNumber(0, 500, 'must be 0 (all) to 500 rows.')
const Search = z.string().max(200, 'must be at most 200 characters long.')

export const Page = unlessEmpty(PageNumber.default(0))

/** `rows`: how many when none are named. */
export function pageSize(rows: number) {
  return unlessEmpty(Rows.default(rows))
}
export const DEFAULT_ROWS = 12
export const PageSize = pageSize(DEFAULT_ROWS)
/** Of a list that is asked for in several dialects: none of these has a default of its own. */
export const asked = {
  page: unlessEmpty(PageNumber.optional()),
  rows: unlessEmpty(Rows.optional()),
  search: Search.optional(),
} as const
export const SearchText = Search.default('')

/** How a list is sorted: by a column, with - before it in descending order; '' is the list's own order. */
export type Sort<C extends string> = '' | C | `-${C}`

/** Of a list that can be sorted by these columns. */
export function sortBy<const C extends string>(columns: readonly C[]) {
  const choices = columns.flatMap((column) => [column, `-${column}`])
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(columns)
  const sentence = `must be ${names}, with - before it for descending order, or empty for the list's own order.`
  // The type of an enum does not follow a list that is computed.
  return z.enum(['', ...choices], sentence).default('') as unknown as z.ZodDefault<
    z.ZodType<Sort<C>, Sort<C>>
  >
}

/** CONST-07: search fires by itself past three characters. */
export const SEARCH_FIRES_PAST_CHARACTERS = 3
export const SUGGESTIONS_LIMIT = 12
