import {
  addNotificationRule,
  listNotificationDeliveries,
  listNotificationRules,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as ruleService from './notification-rule.service.ts'

export function notificationRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listNotificationRules, async () => ruleService.list(ctx))
  mountAdd(
    app,
    ctx,
    addNotificationRule,
    async ({ body }, actor, id) => ruleService.add(ctx, actor, body, id),
    ruleService.added,
  )
  mount(app, ctx, updateNotificationRule, async ({ params, body }, actor) =>
    ruleService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeNotificationRule, async ({ params }, actor) =>
    ruleService.remove(ctx, actor, params.id),
  )
  mount(app, ctx, testNotificationRule, async ({ params }, actor) =>
    ruleService.test(ctx, actor, params.id),
  )
  mount(app, ctx, listNotificationDeliveries, async ({ query }) =>
    ruleService.deliveries(ctx, query),
  )
}
