/** GET /metrics: text for Prometheus, and so mounted by hand. */
import { METRICS_PATH, METRICS_TYPE } from '@trunkline/contract/metrics/metric.rules'
import { mayDo } from '@trunkline/contract/role-table'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import { takeCall } from '../http/fair-share.ts'
import { sessionOf } from '../http/mount.ts'
import { ApiMetrics } from './metrics.service.ts'
import type { RequestTimes } from './request-times.ts'

export function metricsRoutes(app: FastifyInstance, ctx: Context, requests: RequestTimes): void {
  const metrics = new ApiMetrics(ctx, requests)
  app.addHook('onClose', async () => {
    metrics[Symbol.dispose]()
    return Promise.resolve()
  })
  app.get(METRICS_PATH, {
    onRequest: async (request) => {
      const actor = await sessionOf(ctx, request)
      await takeCall(ctx, actor)
      if (!mayDo(actor.role, 'readAudit')) throw forbidden()
    },
    handler: async (_request, reply) =>
      reply.type(METRICS_TYPE).header('cache-control', 'no-store').send(metrics.text()),
  })
}
