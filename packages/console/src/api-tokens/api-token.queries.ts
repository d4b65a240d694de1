/** What the page of API tokens asks for; 'apiToken' is invalidated by push, for admins. */
import { queryOptions } from '@tanstack/react-query'
import { listApiTokens, listOwnApiTokens } from '@trunkline/contract/users/api-token.calls'
import { call } from '../lib/call.ts'

export const TOKEN_KEY = 'apiToken'

export const ownTokensQuery = queryOptions({
  queryKey: [TOKEN_KEY, 'own'],
  queryFn: async ({ signal }) => {
    const { data } = await call(listOwnApiTokens, { signal })
    return { data, total: data.length }
  },
})

/** A site has dozens: all of them are read, and sorted and paged here as one's own are. */
export const allTokensQuery = queryOptions({
  queryKey: [TOKEN_KEY, 'all'],
  queryFn: async ({ signal }) => call(listApiTokens, { query: { rowsPerPage: 0 }, signal }),
})
