/** Paging as the wire has it: page is zero based, a size of 0 means all (API-72). */
import { z } from 'zod'
import { unlessEmpty, wholeNumber } from './text.schema.ts'

/** A size of 0 answers all rows; this is where 'all' ends, so that one call cannot take the API down. */
export const ALL_ROWS_LIMIT = 10_000

export const Page = unlessEmpty(
  wholeNumber(0, 1_000_000, 'must be a page number, 0 for the first.').default(0),
)

/** `rows`: how many when none are named. */
export function pageSize(rows: number) {
  return unlessEmpty(wholeNumber(0, 500, 'must be 0 (all) to 500 rows.').default(rows))
}
export const PageSize = pageSize(12)
export const SearchText = z.string().max(200, 'must be at most 200 characters long.').default('')

/** CONST-07: search fires by itself past three characters. */
export const SEARCH_FIRES_PAST_CHARACTERS = 3
export const SUGGESTIONS_LIMIT = 12
