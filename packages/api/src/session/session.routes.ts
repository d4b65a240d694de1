import { jwtLogin, login, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount, mountOpen } from '../http/mount.ts'
import * as sessionService from './session.service.ts'
import { createSignInLimit } from './sign-in-limit.ts'

export function sessionRoutes(app: FastifyInstance, ctx: Context): void {
  const limit = createSignInLimit(ctx.config.signInLimit, ctx.clock)
  mountOpen(app, login, async ({ body, ip }) => sessionService.signIn(ctx, limit, body, ip))
  mount(app, ctx, jwtLogin, async (_, actor) => sessionService.renew(ctx, actor))
  mount(app, ctx, signOutEverywhere, async ({ ip }, actor) =>
    sessionService.endEverywhere(ctx, actor, ip),
  )
}
