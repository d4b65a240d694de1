import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as historyService from './history.service.ts'

export function historyRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, linkHistory, async ({ query }, actor) => historyService.read(ctx, actor, query))
}
