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

/** CONST-07: search fires by itself past three characters. */
export const SEARCH_FIRES_PAST_CHARACTERS = 3
export const SUGGESTIONS_LIMIT = 12
