/** Everything under /api/contribution; calls that serve inputs, outputs and feeders alike are mounted here. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as actionService from './action.service.ts'
import { destinationRoutes } from './destination.routes.ts'
import { historyRoutes } from './history.routes.ts'
import { inputRoutes } from './input.routes.ts'
import { outputRoutes } from './output.routes.ts'
import { serverChangeRoutes } from './server-change.routes.ts'

export function contributionRoutes(app: FastifyInstance, ctx: Context): void {
  inputRoutes(app, ctx)
  outputRoutes(app, ctx)
  destinationRoutes(app, ctx)
  serverChangeRoutes(app, ctx)
  historyRoutes(app, ctx)
  mount(app, ctx, contributionAction, async ({ body, ip }, actor) =>
    actionService.act(ctx, actor, body, ip),
  )
}
