/** Servers to choose from, and what is on them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { ApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource } from './choices.hook.ts'

/** Channel servers that this user may see. */
export const CHANNEL_SERVERS: ChoiceSource<Server> = {
  kind: 'server',
  name: 'channel',
  idOf: ({ _id }) => _id,
  find: async (searchText, signal) => {
    const query = { type: 'channel', rowsPerPage: CHOOSER_ROWS, searchText } as const
    const { data, total } = await call(listServers, { query, signal })
    return { rows: data, total }
  },
  read: async (id, signal) => orNone(async () => call(findServer, { params: { id }, signal })),
}

async function orNone<T>(read: () => Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await read()).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** OUT-FORM-17: gateways, the first 100 of those that match what is typed. */
export function serverChoicesQuery(searchText: string) {
  const query = { type: 'acants', rowsPerPage: CHOOSER_ROWS, searchText } as const
  return queryOptions({
    queryKey: ['server', 'choices', searchText],
    queryFn: async ({ signal }) => call(listServers, { query, signal }),
    placeholderData: keepPreviousData,
  })
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
