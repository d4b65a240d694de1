import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as transportHistoryService from './transport-history.service.ts'

export function transportHistoryRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, transportHistory, async ({ params, query }, actor) =>
    transportHistoryService.read(ctx, actor, params, query),
  )
}
