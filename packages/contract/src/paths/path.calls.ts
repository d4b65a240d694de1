import { z } from 'zod'
import { PROGRAM_KINDS } from '../fleet/fleet.schema.ts'
import { route } from '../route.ts'
import { SignalPath } from './path.schema.ts'

/** What has a path of its own; a destination is a hop of the paths of its outputs. */
export const PathKind = z.enum([...PROGRAM_KINDS, 'channel'])
export type PathKind = z.infer<typeof PathKind>

/**
 * The hops before and behind an object, with what is known of each. Right by kind, as for reading the
 * object itself: the service decides. Hops that the caller may not see have their health alone.
 */
export const readSignalPath = route({
  name: 'paths.read',
  method: 'GET',
  path: '/api/signal-path/:kind/:id',
  action: 'readFeeder',
  /** A feeder goes by its name. */
  params: z.object({ kind: PathKind, id: z.string().min(1).max(64) }),
  reply: z.object({ status: z.literal(true), data: SignalPath }),
})
