import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as serverChangeService from './server-change.service.ts'

export function serverChangeRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, changeServer, async ({ body }, actor) =>
    serverChangeService.change(ctx, actor, body),
  )
}
