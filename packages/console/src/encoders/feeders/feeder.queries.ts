/** What the Feeder tab asks for, and under which keys it is cached. */
import { queryOptions } from '@tanstack/react-query'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { nextFeederPort, readFeederStatus } from '@trunkline/contract/encoders/feeder.calls'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { call } from '../../lib/call.ts'

/** As for encoders: how often a status is asked for while nothing is pushed. */
const POLL_EVERY_MS = 10_000

/** FEED-07. Only for browsers that get no push. */
export function feederStatusQuery(encoderId: string, feederName: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['feeder', 'status', feederName],
    queryFn: async ({ signal }) =>
      call(readFeederStatus, { params: { encoderId, feederName }, signal }),
    enabled: isWanted,
    refetchInterval: POLL_EVERY_MS,
    refetchIntervalInBackground: false,
    retry: false,
  })
}

const FOLLOW_EVERY_MS = 2000
const GLANCE_EVERY_MS = 10_000

/** FEED-10: the end of its log. */
export function feederLogQuery(
  encoderId: string,
  feederName: string,
  use: 'follow' | 'glance' | 'once',
) {
  const body = { id: encoderId, type: ACTION_TYPE.feeder, actionType: 'tail' as const, feederName }
  const everyMs = use === 'follow' ? FOLLOW_EVERY_MS : use === 'glance' ? GLANCE_EVERY_MS : false
  return queryOptions({
    queryKey: ['feeder', 'log', feederName],
    queryFn: async ({ signal }) => call(contributionAction, { body, signal }),
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** FEED-21: the addresses of a server; '' asks for none. */
export function feederServerQuery(id: string) {
  return queryOptions({
    queryKey: ['server', 'one', id],
    queryFn: async ({ signal }) => (await call(findServer, { params: { id }, signal })).data,
    enabled: id !== '',
  })
}

/** FEED-20. Never from the cache: another operator may have taken it a moment ago. */
export function nextPortQuery(serverId: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['feeder', 'next-port', serverId],
    queryFn: async ({ signal }) =>
      (await call(nextFeederPort, { query: { serverId }, signal })).port,
    enabled: isWanted && serverId !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}
