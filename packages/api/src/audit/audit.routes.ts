import { listAudit } from '@trunkline/contract/audit/audit.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as auditService from './audit.service.ts'

export function auditRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listAudit, async ({ query }) => auditService.list(ctx, query))
}
