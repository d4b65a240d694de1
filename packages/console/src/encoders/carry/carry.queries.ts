/** What only the carry form asks for. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { call } from '../../lib/call.ts'

/** The rest is found by typing. */
const CHOOSER_ROWS = 100

/** The first 100 of those that match what is typed. */
export function foundDestinationsQuery(searchValue: string) {
  const query = { page: 0, rowsPerPage: CHOOSER_ROWS, searchValue }
  return queryOptions({
    queryKey: ['destination', 'found', searchValue],
    queryFn: async ({ signal }) => call(listDestinations, { query, signal }),
    placeholderData: keepPreviousData,
  })
}
