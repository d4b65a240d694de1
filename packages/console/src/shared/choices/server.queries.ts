/** Servers to choose from, and what is on them. */
import { queryOptions } from '@tanstack/react-query'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { call } from '../../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource, orNone } from './choices.hook.ts'

/** Channel servers that this user may see. */
export const CHANNEL_SERVERS = serversOf('channel')
/** Servers that run inputs. */
export const GATEWAYS = serversOf('acants')
export const ALL_SERVERS = serversOf('all')

function serversOf(type: 'acants' | 'channel' | 'all'): ChoiceSource<Server> {
  return {
    kind: 'server',
    name: type,
    idOf: ({ _id }) => _id,
    find: async (searchText, signal) => {
      const query = { type, rowsPerPage: CHOOSER_ROWS, searchText }
      const { data, total } = await call(listServers, { query, signal })
      return { rows: data, total }
    },
    read: async (id, signal) => orNone(async () => call(findServer, { params: { id }, signal })),
  }
}

/** Inputs of that server at that port, of their own or of their peer; '' asks for none. */
export function inputsAtPortQuery(serverId: string, port: number) {
  const query = { page: 0, rowsPerPage: 0, serverId, port }
  return queryOptions({
    queryKey: ['input', 'at-port', serverId, port],
    queryFn: async ({ signal }) => (await call(listInputs, { query, signal })).contributions,
    enabled: serverId !== '' && port > 0,
  })
}

/** The first gateway, in order of title, that is reached at that address; none: an empty list. '' asks for none. */
export function serverAtQuery(address: string) {
  const query = { type: 'acants', address, rowsPerPage: 1 } as const
  return queryOptions({
    queryKey: ['server', 'at', address],
    queryFn: async ({ signal }) => (await call(listServers, { query, signal })).data,
    enabled: address !== '',
  })
}
