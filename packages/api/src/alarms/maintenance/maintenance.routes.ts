import {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdd } from '../../http/mount-add.ts'
import { mount } from '../../http/mount.ts'
import * as maintenanceService from './maintenance.service.ts'

export function maintenanceRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listMaintenance, async ({ query }, actor) =>
    maintenanceService.list(ctx, actor, query),
  )
  mountAdd(
    app,
    ctx,
    addMaintenance,
    async ({ body }, actor, id) => maintenanceService.add(ctx, actor, body, id),
    maintenanceService.added,
  )
  mount(app, ctx, updateMaintenance, async ({ params, body }, actor) =>
    maintenanceService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeMaintenance, async ({ params }, actor) =>
    maintenanceService.remove(ctx, actor, params.id),
  )
}
