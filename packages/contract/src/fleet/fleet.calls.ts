import { z } from 'zod'
import { route } from '../route.ts'
import { LiveSnapshot } from './fleet.schema.ts'

export const health = route({
  name: 'fleet.health',
  method: 'GET',
  path: '/api/health',
  action: 'anyone',
  reply: z.object({ status: z.literal(true) }),
})

/** The live picture once, for clients that cannot hold a stream open; same scope as the stream. */
export const readLive = route({
  name: 'fleet.snapshot',
  method: 'GET',
  path: '/api/live/snapshot',
  action: 'openWork',
  reply: z.object({ status: z.literal(true), data: LiveSnapshot }),
})
