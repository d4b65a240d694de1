import {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as maintenanceService from './maintenance.service.ts'

export function maintenanceRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listMaintenance, async ({ query }, actor) =>
    maintenanceService.list(ctx, actor, query),
  )
  mount(app, ctx, addMaintenance, async ({ body }, actor) =>
    maintenanceService.add(ctx, actor, body),
  )
  mount(app, ctx, updateMaintenance, async ({ params, body }, actor) =>
    maintenanceService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeMaintenance, async ({ params }, actor) =>
    maintenanceService.remove(ctx, actor, params.id),
  )
}
