import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountPrepared } from '../http/mount.ts'
import { openApiOf } from './open-api.service.ts'

export function openApiRoutes(app: FastifyInstance, ctx: Context): void {
  mountPrepared(app, ctx, readOpenApi, async () => openApiOf(app))
}
