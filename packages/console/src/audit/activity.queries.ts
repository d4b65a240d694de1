/** What the Activity tab asks for. Its keys are no object's kind: the record has no push. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { call } from '../lib/call.ts'
import { KEPT_AS_READ } from '../lib/query-client.ts'
import type { ActivityFilter } from './activity-filter.hook.ts'

export type ActivityList = ActivityFilter['list']

/** First part of every key here; what refresh reads anew. */
export const ACTIVITY_KEY = 'audit'

/** Asked rather than pushed: refusals and sign-ins change no object that a push could tell of. */
const LOOK_EVERY_MS = 5000

/**
 * Lines that were read stay as they are until the operator asks for newer ones: a list that grows at
 * its top would move what is being read.
 */
export function activityQuery(list: ActivityList) {
  return queryOptions({
    queryKey: [ACTIVITY_KEY, 'list', list],
    queryFn: async ({ signal }) => call(listAudit, { query: list, signal }),
    placeholderData: keepPreviousData,
    meta: KEPT_AS_READ,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Where nothing stands, nothing can be moved.
    refetchInterval: ({ state }) => (state.data?.total === 0 ? LOOK_EVERY_MS : false),
  })
}

/** How many lines there are from that moment on. */
export function countSinceQuery(list: ActivityList, from: string) {
  const query = { ...list, from, page: 0, rowsPerPage: 1 }
  return queryOptions({
    queryKey: [ACTIVITY_KEY, 'count', query],
    queryFn: async ({ signal }) => call(listAudit, { query, signal }),
    select: (reply) => reply.total,
    refetchInterval: LOOK_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
