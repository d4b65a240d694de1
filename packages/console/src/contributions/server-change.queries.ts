/** What the dialog 'Change server' reads. */
import { queryOptions } from '@tanstack/react-query'
import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { call } from '../lib/call.ts'

/** All servers that run inputs. */
export function moveServersQuery() {
  return queryOptions({
    queryKey: ['server', 'list', 'acants', 'all'],
    queryFn: async ({ signal }) =>
      call(listServers, { query: { type: 'acants', rowsPerPage: 0 }, signal }),
    select: (reply) => reply.data,
  })
}

/**
 * For their feeders: those that send to the old server go on doing so. All encoders come, so they are
 * read once, when a listening input is to move, and not again with every change of an encoder.
 */
export function feedingEncodersQuery(isWanted: boolean) {
  return queryOptions({
    queryKey: ['feeding encoders'],
    queryFn: async ({ signal }) => call(listEncoders, { query: { rowsPerPage: 0 }, signal }),
    select: (reply) => reply.encoders,
    enabled: isWanted,
  })
}
