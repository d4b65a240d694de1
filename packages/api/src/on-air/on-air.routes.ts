import { askOnAir, listOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { guardCalls } from '../http/call-guard.ts'
import { mount } from '../http/mount.ts'
import * as onAirGuardService from './on-air-guard.service.ts'
import * as onAirService from './on-air.service.ts'

export function onAirRoutes(app: FastifyInstance, ctx: Context): void {
  guardCalls(ctx, async (guarded) => onAirGuardService.assertMayInterrupt(ctx, guarded))
  mount(app, ctx, listOnAir, async (_input, actor) => onAirService.list(ctx, actor))
  mount(app, ctx, askOnAir, async ({ body }, actor) => onAirGuardService.ask(ctx, actor, body))
  mount(app, ctx, putOnAir, async ({ params, body }, actor) =>
    onAirService.put(ctx, actor, params, body),
  )
  mount(app, ctx, takeOffAir, async ({ params }, actor) => onAirService.takeOff(ctx, actor, params))
}
