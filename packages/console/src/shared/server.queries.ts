/** Servers to choose from, and what is on them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { call } from '../lib/call.ts'

/** The rest is found by typing. */
const CHOOSER_ROWS = 100

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

/** Inputs of that server that the caller may see; '' asks for none. */
export function inputsOfServerQuery(serverId: string) {
  const query = { page: 0, rowsPerPage: 0, serverId }
  return queryOptions({
    queryKey: ['input', 'of-server', serverId],
    queryFn: async ({ signal }) => (await call(listInputs, { query, signal })).contributions,
    enabled: serverId !== '',
  })
}
