import { z } from 'zod'
import { success } from '../reply.schema.ts'
import { route } from '../route.ts'
import { Adapter } from './server.schema.ts'

/** Of the agents at that host, as they last reported them; none while no agent there was heard. */
export const readHostAdapters = route({
  name: 'servers.adapters',
  method: 'GET',
  path: '/api/servers/adapters',
  action: 'editServers',
  query: z.strictObject({
    /** As typed into the form of a server. */
    host: z.string().trim().max(253, 'must be at most 253 characters long.').default(''),
  }),
  reply: success({ data: z.array(Adapter.omit({ _id: true })) }),
})
