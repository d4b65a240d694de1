import { z } from 'zod'
import { Page, PageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById } from '../by-id.ts'
import { route } from '../route.ts'
import { Id, Title } from '../text.schema.ts'
import { Destination, DestinationDraft, DestinationEdit } from './destination.schema.ts'
import { BULK_LIMIT, LinkFailure } from './link.schema.ts'
import { success } from '../reply.schema.ts'

const OneDestination = success({ msg: z.string(), data: Destination })

export const DESTINATION_SORTS = ['title', 'ip'] as const

/** `length` and `total` are both the count of all that match (Q153). */
export const listDestinations = route({
  name: 'destinations.list',
  method: 'GET',
  path: '/api/contribution/destinations/lists',
  action: 'editDestinations',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    searchValue: SearchText,
    /** The one of that id; '' for all. */
    id: z.union([Id, z.literal('')]).default(''),
    /** '' for the order of title. */
    sort: sortBy(DESTINATION_SORTS),
  }),
  reply: success({ destinations: z.array(Destination), length: z.number(), total: z.number() }),
})

/** All that match, on whatever page, without their rows; no more than a list of 'all' has. */
export const matchDestinations = route({
  name: 'destinations.match',
  method: 'GET',
  path: '/api/contribution/destinations/matching',
  action: 'editDestinations',
  query: z.strictObject({ searchValue: SearchText }),
  reply: z.object({
    status: z.literal(true),
    data: z.object({
      /** Of all that match. */
      total: z.number(),
      ids: z.array(Id),
      /** In the order of the ids. */
      titles: z.array(z.string()),
    }),
  }),
})

/** 409 when the group has one of that title (Q154). */
export const addDestination = route({
  name: 'destinations.add',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution/destination',
  action: 'editDestinations',
  body: DestinationDraft,
  reply: OneDestination,
})

/** In the same group, with the same address and key; no output goes there yet. */
export const cloneDestination = route({
  name: 'destinations.clone',
  method: 'POST',
  addsObject: true,
  path: '/api/contribution/destination/clone/:id',
  action: 'editDestinations',
  params: ById,
  body: z.strictObject({ title: Title }),
  reply: OneDestination,
})

export const updateDestination = route({
  name: 'destinations.update',
  method: 'PUT',
  path: '/api/contribution/destination/:id',
  action: 'editDestinations',
  params: ById,
  body: DestinationEdit,
  reply: OneDestination,
})

/** Outputs that go there keep its address, and go on. */
export const removeDestination = route({
  name: 'destinations.remove',
  method: 'DELETE',
  path: '/api/contribution/destination/:id',
  action: 'editDestinations',
  params: ById,
  reply: success({ msg: z.string(), id: z.string() }),
})

export const removeDestinations = route({
  name: 'destinations.removeSeveral',
  method: 'POST',
  path: '/api/contribution/destinations/bulk-delete',
  action: 'editDestinations',
  body: z.strictObject({ destinationIds: z.array(Id).min(1).max(BULK_LIMIT) }),
  reply: success({
    msg: z.string(),
    /** Ids. */
    deleted: z.array(z.string()),
    failed: z.array(LinkFailure),
  }),
  bodyLimitBytes: 256 * 1024,
})
