import {
  addDestination,
  cloneDestination,
  listDestinations,
  matchDestinations,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdd } from '../../http/mount-add.ts'
import { mount } from '../../http/mount.ts'
import * as destinationRemoveService from './destination-remove.service.ts'
import * as destinationService from './destination.service.ts'

export function destinationRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listDestinations, async ({ query }, actor) =>
    destinationService.list(ctx, actor, query),
  )
  mount(app, ctx, matchDestinations, async ({ query }, actor) =>
    destinationService.matching(ctx, actor, query),
  )
  mountAdd(
    app,
    ctx,
    addDestination,
    async ({ body }, actor, id) => destinationService.add(ctx, actor, body, id),
    destinationService.added,
  )
  mountAdd(
    app,
    ctx,
    cloneDestination,
    async ({ params, body: { title } }, actor, id) =>
      destinationService.clone(ctx, actor, { originalId: params.id, title, id }),
    destinationService.added,
  )
  mount(app, ctx, updateDestination, async ({ params, body }, actor) =>
    destinationService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeDestination, async ({ params }, actor) =>
    destinationRemoveService.remove(ctx, actor, params.id),
  )
  mount(app, ctx, removeDestinations, async ({ body }, actor) =>
    destinationRemoveService.removeSeveral(ctx, actor, body.destinationIds),
  )
}
