import { readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import { listSignalPaths, readSignalPath } from '@trunkline/contract/paths/path.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as fleetPathsService from './fleet-paths.service.ts'
import * as latencyService from './latency.service.ts'
import * as signalPathService from './signal-path.service.ts'

export function pathRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readSignalPath, async ({ params }, actor) =>
    signalPathService.read(ctx, actor, params),
  )
  mount(app, ctx, listSignalPaths, async ({ query }, actor) =>
    fleetPathsService.list(ctx, actor, query),
  )
  mount(app, ctx, readLatencyAdvice, async ({ params }, actor) =>
    latencyService.read(ctx, actor, params),
  )
}
