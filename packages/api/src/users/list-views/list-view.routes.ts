import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as listViewService from './list-view.service.ts'

export function listViewRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listListViews, async (_, actor) => listViewService.list(ctx, actor))
  mount(app, ctx, saveListView, async ({ params, body }, actor) =>
    listViewService.save(ctx, actor, params.name, body),
  )
}
