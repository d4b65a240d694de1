import { z } from 'zod'
import { PROGRAM_KINDS } from '../fleet/fleet.schema.ts'
import { Page, pageSize, SearchText } from '../paging.schema.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { SignalPath } from './path.schema.ts'
import { success } from '../reply.schema.ts'

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
  reply: success({ data: SignalPath }),
})

export const PATHS_PER_PAGE = 24

/**
 * The paths of a group, or of all that the caller may see, each from its beginning: what gets its
 * stream from nothing else among them. Worst first, then encoders, inputs and channels by title. The
 * beginning is the hop whose side is 'self'. Not all hops of a long path are listed.
 */
export const listSignalPaths = route({
  name: 'paths.list',
  method: 'GET',
  path: '/api/signal-path',
  action: 'readFeeder',
  query: z.strictObject({
    /** '' for all groups. */
    groupId: z.union([Id, z.literal('')]).default(''),
    /** attention: those with a hop that needs somebody. */
    show: z.enum(['all', 'attention']).default('all'),
    /** In the title of any hop. */
    searchText: SearchText,
    page: Page,
    rowsPerPage: pageSize(PATHS_PER_PAGE),
  }),
  reply: success({
    data: z.array(SignalPath),
    total: z.number(),
    /** Of all pages, whatever is shown. */
    attention: z.number(),
  }),
})
