/** The calls that serve inputs, outputs, destinations and feeders alike. */
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import {
  contributionAction,
  updateTitle,
} from '@trunkline/contract/contributions/contribution.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as actionService from './action.service.ts'
import * as carryService from './carry/carry.service.ts'
import * as linkRenameService from './link-rename.service.ts'

export function contributionRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, contributionAction, async ({ body, ip }, actor) =>
    actionService.act(ctx, actor, body, ip),
  )
  mount(app, ctx, carryEncoder, async ({ params, body, ip }, actor) =>
    carryService.carry(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, updateTitle, async ({ body, ip }, actor) =>
    linkRenameService.rename(ctx, actor, body, ip),
  )
}
