import type { Sort } from '@trunkline/contract/paging.schema'
import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import type { SERVER_SORTS } from '@trunkline/contract/servers/server.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listServers, readServerStatus } from '@trunkline/contract/servers/server.calls'
import type { ServerType } from '@trunkline/contract/servers/server.schema'
import { call } from '../lib/call.ts'

export interface ServerList {
  searchText: string
  /** '' for all. */
  groupId: string
  type: ServerType | 'all'
  /** From 0. */
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof SERVER_SORTS)[number]>
}

/** One page of the table; the old one stays in sight until the new one is there. */
export function serverPageQuery(list: ServerList) {
  return queryOptions({
    queryKey: ['server', 'page', list],
    queryFn: async ({ signal }) => call(listServers, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

/** How often a status is asked for while nothing is pushed. */
const POLL_EVERY_MS = 10_000

/** SRV-02. Only for browsers that get no push; one question in flight per server. */
export function serverStatusQuery(id: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['server', 'status', id],
    queryFn: async ({ signal }) => call(readServerStatus, { params: { id }, signal }),
    enabled: isWanted,
    refetchInterval: POLL_EVERY_MS,
    refetchIntervalInBackground: false,
    retry: false,
  })
}

/** How often a host is asked for that has not been heard: it may have just been enrolled. */
const LOOK_FOR_HOST_MS = 5000

/** What the agents at this host report; '' asks for none. */
export function hostAdaptersQuery(host: string) {
  return queryOptions({
    queryKey: ['server', 'adapters', host],
    queryFn: async ({ signal }) => (await call(readHostAdapters, { query: { host }, signal })).data,
    enabled: host !== '',
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? LOOK_FOR_HOST_MS : false),
    retry: false,
  })
}
