import {
  addOverride,
  listOverrides,
  readCombinedRules,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdd } from '../../http/mount-add.ts'
import { mount } from '../../http/mount.ts'
import * as overrideService from './override.service.ts'

export function overrideRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOverrides, async ({ query }, actor) =>
    overrideService.list(ctx, actor, query),
  )
  mount(app, ctx, readCombinedRules, async ({ query }, actor) =>
    overrideService.combined(ctx, actor, query),
  )
  mountAdd(
    app,
    ctx,
    addOverride,
    async ({ body }, actor, id) => overrideService.add(ctx, actor, body, id),
    overrideService.added,
  )
  mount(app, ctx, updateOverride, async ({ params, body }, actor) =>
    overrideService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeOverride, async ({ params }, actor) =>
    overrideService.remove(ctx, actor, params.id),
  )
}
