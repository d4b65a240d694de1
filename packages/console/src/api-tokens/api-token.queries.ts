/** What the page of API tokens asks for; 'apiToken' is invalidated by push, for admins. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Sort } from '@trunkline/contract/paging.schema'
import {
  type API_TOKEN_SORTS,
  listApiTokens,
  listOwnApiTokens,
} from '@trunkline/contract/users/api-token.calls'
import { call } from '../lib/call.ts'

export const TOKEN_KEY = 'apiToken'

export const ownTokensQuery = queryOptions({
  queryKey: [TOKEN_KEY, 'own'],
  queryFn: async ({ signal }) => {
    const { data } = await call(listOwnApiTokens, { signal })
    return { data, total: data.length }
  },
})

export interface TokenList {
  searchText: string
  /** From 0. */
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof API_TOKEN_SORTS)[number]>
}

/** One page; the old one stays in sight until the new one is there. */
export function allTokensQuery(list: TokenList) {
  return queryOptions({
    queryKey: [TOKEN_KEY, 'all', list],
    queryFn: async ({ signal }) => call(listApiTokens, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}
