import { z } from 'zod'
import { Page, pageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { Adapter, NewServer, Server, ServerEdit } from './server.schema.ts'
import { success } from '../reply.schema.ts'

export const SERVER_SORTS = ['title', 'host', 'port'] as const

export const listServers = route({
  name: 'servers.list',
  method: 'GET',
  path: '/api/servers',
  action: 'listServers',
  query: z.strictObject({
    type: z.enum(['channel', 'acants', 'all']).default('all'),
    searchText: SearchText,
    /** '' for all groups. */
    groupId: z.union([Id, z.literal('')]).default(''),
    /** A host name or an IPv4 address at which a server is reached; '' for all servers. */
    address: z.string().max(253, 'must be at most 253 characters long.').default(''),
    page: Page,
    /** Choosers load 100 rows (OUT-FORM-17). */
    rowsPerPage: pageSize(100),
    /** '' for the order of title. */
    sort: sortBy(SERVER_SORTS),
  }),
  reply: success({ data: z.array(Server), total: z.number() }),
})

export const findServer = route({
  name: 'servers.find',
  method: 'GET',
  path: '/api/servers/:id',
  action: 'listServers',
  params: ById,
  reply: success({ data: Server, adapterIps: z.array(Adapter) }),
})

export const addServer = route({
  name: 'servers.add',
  method: 'POST',
  addsObject: true,
  path: '/api/servers',
  action: 'editServers',
  body: NewServer,
  reply: success({ data: Server }),
})

/** A changed host, port or key takes effect on the link at once; running programs are not touched. */
export const updateServer = route({
  name: 'servers.update',
  method: 'PUT',
  path: '/api/servers/:id',
  action: 'editServers',
  params: ById,
  body: ServerEdit,
  reply: success({ data: Server }),
})

/** 409 with what still uses it: inputs, feeders, channels (Q117). */
export const removeServer = removal('servers.remove', '/api/servers/:id', 'editServers')

/** 502 when the host does not answer, 504 after 5 s (API-20); a failed call counts as Offline. */
export const readServerStatus = route({
  name: 'servers.status',
  method: 'GET',
  path: '/api/servers/status/:id',
  action: 'listServers',
  params: ById,
  reply: success({ results: z.string(), latencyMs: z.number() }),
})
