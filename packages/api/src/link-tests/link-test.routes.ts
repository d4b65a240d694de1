import {
  cancelLinkTest,
  readLinkTest,
  readLinkTestHost,
  startLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as linkTestService from './link-test.service.ts'

export function linkTestRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readLinkTestHost, async ({ params }, actor) =>
    linkTestService.readHost(ctx, actor, params),
  )
  mount(app, ctx, startLinkTest, async ({ body }, actor) => linkTestService.start(ctx, actor, body))
  mount(app, ctx, readLinkTest, async ({ params, query }, actor) =>
    linkTestService.read(ctx, actor, params.testId, query),
  )
  mount(app, ctx, cancelLinkTest, async ({ params, query }, actor) =>
    linkTestService.cancel(ctx, actor, params.testId, query),
  )
}
