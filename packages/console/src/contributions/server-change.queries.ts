/** What the dialog 'Change server' reads. */
import { queryOptions } from '@tanstack/react-query'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
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

/** For their feeders: those that send to the old server go on doing so. */
export function feedingEncodersQuery() {
  return queryOptions({
    queryKey: ['encoder', 'list', 'feeding'],
    queryFn: async ({ signal }) => call(listEncoders, { query: { rowsPerPage: 0 }, signal }),
    select: (reply) => reply.encoders,
  })
}

/** Which inputs are on the server; read again with every pushed change of an input. */
export function inputsThereQuery(serverId: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['input', 'list', 'on server', serverId],
    queryFn: async ({ signal }) =>
      call(listInputs, { query: { serverId, rowsPerPage: 0 }, signal }),
    select: (reply) => new Set(reply.contributions.map(({ _id }) => _id)),
    enabled: isWanted,
  })
}
