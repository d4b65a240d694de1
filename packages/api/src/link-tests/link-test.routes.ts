import {
  cancelLinkTest,
  readLinkTest,
  readLinkTestServer,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as linkTestService from './link-test.service.ts'

export function linkTestRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readLinkTestServer, async ({ params }, actor) =>
    linkTestService.readServer(ctx, actor, params.id),
  )
  mount(app, ctx, startLinkTest, async ({ params, body, ip }, actor) =>
    linkTestService.start(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, readLinkTest, async ({ params, query }, actor) =>
    linkTestService.read(ctx, actor, { ...params, ...query }),
  )
  mount(app, ctx, cancelLinkTest, async ({ params, query, ip }, actor) =>
    linkTestService.cancel(ctx, actor, { ...params, ...query }, ip),
  )
}
