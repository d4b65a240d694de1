/** The calls that serve inputs, outputs, destinations and feeders alike. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as actionService from './action.service.ts'

export function contributionRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, contributionAction, async ({ body, ip }, actor) =>
    actionService.act(ctx, actor, body, ip),
  )
}
