import {
  addTemplate,
  listTemplates,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdd } from '../../http/mount-add.ts'
import { mount } from '../../http/mount.ts'
import * as templateService from './template.service.ts'

export function templateRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listTemplates, async (_, actor) => templateService.list(ctx, actor))
  mountAdd(
    app,
    ctx,
    addTemplate,
    async ({ body }, actor, id) => templateService.add(ctx, actor, body, id),
    templateService.added,
  )
  mount(app, ctx, updateTemplate, async ({ params, body }, actor) =>
    templateService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeTemplate, async ({ params }, actor) =>
    templateService.remove(ctx, actor, params.id),
  )
}
