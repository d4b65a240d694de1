/** What the page of API tokens asks for; 'apiToken' is invalidated by push, for admins. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
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

export function allTokensQuery(page: number, rowsPerPage: number) {
  return queryOptions({
    queryKey: [TOKEN_KEY, 'all', page, rowsPerPage],
    queryFn: async ({ signal }) => call(listApiTokens, { query: { page, rowsPerPage }, signal }),
    placeholderData: keepPreviousData,
  })
}
