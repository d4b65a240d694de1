import {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as outputService from './output.service.ts'

export function outputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOutputs, async ({ query }, actor) => outputService.list(ctx, actor, query))
  mount(app, ctx, addOutput, async ({ body, ip }, actor) => outputService.add(ctx, actor, body, ip))
  mount(app, ctx, readOutputStatus, async ({ params }, actor) =>
    outputService.readStatus(ctx, actor, params.contributionId, params.name),
  )
}
