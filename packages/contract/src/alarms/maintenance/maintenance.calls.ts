import { z } from 'zod'
import { Page, pageSize, sortBy } from '../../paging.schema.ts'
import { ById, removal } from '../../by-id.ts'
import { route } from '../../route.ts'
import { echoed, Version } from '../../text.schema.ts'
import { MaintenanceDraft, MaintenanceWindow } from './maintenance.schema.ts'
import { success } from '../../reply.schema.ts'

const ofWindow = success({ data: MaintenanceWindow })

export const MAINTENANCE_SORTS = ['title'] as const

/** Those that are on first, then the next to come, then those that are over, the latest first. */
export const listMaintenance = route({
  name: 'maintenance.list',
  method: 'GET',
  path: '/api/maintenance',
  action: 'seeAlarms',
  query: z.strictObject({
    page: Page,
    rowsPerPage: pageSize(24),
    sort: sortBy(MAINTENANCE_SORTS),
  }),
  reply: success({ data: z.array(MaintenanceWindow), total: z.number() }),
})

export const addMaintenance = route({
  name: 'maintenance.add',
  method: 'POST',
  addsObject: true,
  path: '/api/maintenance',
  action: 'planMaintenance',
  body: MaintenanceDraft,
  reply: ofWindow.extend({ id: z.string() }),
})

/** Another title, other times, or both. */
export const updateMaintenance = route({
  name: 'maintenance.update',
  method: 'PUT',
  path: '/api/maintenance/:id',
  action: 'planMaintenance',
  params: ById,
  body: MaintenanceDraft.omit({ covers: true })
    .partial()
    .extend({
      version: Version,
      ...echoed(['_id', 'id', 'covers', 'activeUntil', 'nextFrom']),
    }),
  reply: ofWindow,
})

/** One that is on ends at once. */
export const removeMaintenance = removal(
  'maintenance.remove',
  '/api/maintenance/:id',
  'planMaintenance',
)
