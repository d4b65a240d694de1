import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  listInputs,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as actionService from './action.service.ts'
import * as inputService from './input.service.ts'
import * as outputService from './output.service.ts'

export function contributionRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listInputs, async ({ query }, actor) => inputService.list(ctx, actor, query))
  mount(app, ctx, addInput, async ({ body, ip }, actor) => inputService.add(ctx, actor, body, ip))
  mount(app, ctx, readInputStatus, async ({ params }, actor) =>
    inputService.readStatus(ctx, actor, params.id),
  )
  mount(app, ctx, listOutputs, async ({ query }, actor) => outputService.list(ctx, actor, query))
  mount(app, ctx, addOutput, async ({ body, ip }, actor) => outputService.add(ctx, actor, body, ip))
  mount(app, ctx, readOutputStatus, async ({ params }, actor) =>
    outputService.readStatus(ctx, actor, params.contributionId, params.name),
  )
  mount(app, ctx, contributionAction, async ({ body, ip }, actor) =>
    actionService.act(ctx, actor, body, ip),
  )
}
