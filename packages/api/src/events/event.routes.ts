import { listEvents, readAvailability } from '@trunkline/contract/events/event.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as eventService from './event.service.ts'

export function eventRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listEvents, async ({ query }, actor) => eventService.list(ctx, actor, query))
  mount(app, ctx, readAvailability, async ({ query }, actor) =>
    eventService.availability(ctx, actor, query),
  )
}
