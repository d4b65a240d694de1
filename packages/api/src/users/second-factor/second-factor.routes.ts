import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import {
  readRequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as requiredFactorService from './required-factor.service.ts'
import * as secondFactorService from './second-factor.service.ts'

export function secondFactorRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readRequiredFactor, async () => requiredFactorService.read(ctx))
  mount(app, ctx, saveRequiredFactor, async ({ body }, actor) =>
    requiredFactorService.save(ctx, actor, body),
  )
  mount(app, ctx, readSecondFactor, async ({ params, origin }, actor) =>
    secondFactorService.read(ctx, actor, params.id, origin),
  )
  mount(app, ctx, beginSecondFactor, async ({ body }, actor) =>
    secondFactorService.begin(ctx, actor, body),
  )
  mount(app, ctx, confirmSecondFactor, async ({ body }, actor) =>
    secondFactorService.confirm(ctx, actor, body),
  )
  mount(app, ctx, turnOffSecondFactor, async ({ body }, actor) =>
    secondFactorService.turnOff(ctx, actor, body),
  )
  mount(app, ctx, resetSecondFactor, async ({ params }, actor) =>
    secondFactorService.reset(ctx, actor, params.id),
  )
}
