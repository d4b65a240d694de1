import {
  addInput,
  listInputs,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as inputService from './input.service.ts'

export function inputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listInputs, async ({ query }, actor) => inputService.list(ctx, actor, query))
  mount(app, ctx, addInput, async ({ body, ip }, actor) => inputService.add(ctx, actor, body, ip))
  mount(app, ctx, readInputStatus, async ({ params }, actor) =>
    inputService.readStatus(ctx, actor, params.id),
  )
}
