/** What the Feeder tab asks for, and under which keys it is cached. */
import { queryOptions } from '@tanstack/react-query'
import { ACTION_TYPE } from '@trunkline/contract/contributions/contribution.calls'
import { nextFeederPort, readFeederStatus } from '@trunkline/contract/encoders/feeder.calls'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { call } from '../../lib/call.ts'
import { linkActionLogQuery, type LogUse } from '../../programs/log/log.queries.ts'
import { statusQuery } from '../../programs/status/status.queries.ts'

/** FEED-07. */
export function feederStatusQuery(encoderId: string, feederName: string, isWanted: boolean) {
  return statusQuery('feeder', feederName, isWanted, async (signal) =>
    call(readFeederStatus, { params: { encoderId, feederName }, signal }),
  )
}

/** FEED-10. */
export function feederLogQuery(encoderId: string, feederName: string, use: LogUse) {
  const of = { id: encoderId, type: ACTION_TYPE.feeder, feederName }
  return linkActionLogQuery('feeder', feederName, use, of)
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
