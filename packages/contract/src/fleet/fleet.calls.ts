import { z } from 'zod'
import { route } from '../route.ts'
import { LiveSnapshot, WATCHED_BODY_LIMIT, WatchedSet } from './fleet.schema.ts'
import { success } from '../reply.schema.ts'

export const health = route({
  name: 'fleet.health',
  method: 'GET',
  path: '/api/health',
  action: 'anyone',
  reply: success({}),
})

/** Everything once, for clients that cannot hold a stream open; same scope as the stream. */
export const readLive = route({
  name: 'fleet.snapshot',
  method: 'GET',
  path: '/api/live/snapshot',
  action: 'openWork',
  reply: success({ data: LiveSnapshot }),
})

/**
 * What the browser of this connection shows from now on; the stream itself answers. Not found is a
 * connection that has ended, that is another person's, or that another API process holds: then the
 * stream is opened again, with the set.
 */
export const watchLive = route({
  name: 'fleet.watch',
  method: 'POST',
  path: '/api/live/watch',
  action: 'openWork',
  body: WatchedSet.extend({ connection: z.string().max(100) }),
  bodyLimitBytes: WATCHED_BODY_LIMIT,
  reply: success({}),
})
