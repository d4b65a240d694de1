import { queryOptions } from '@tanstack/react-query'
import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import { call } from '../lib/call.ts'

export const API_KEY = 'openApi'

/** It changes with the version of the API alone. */
export const apiQuery = queryOptions({
  queryKey: [API_KEY, 'document'],
  queryFn: async ({ signal }) => call(readOpenApi, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
