import { z } from 'zod'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { Id, unlessEmpty, wholeNumber } from '../text.schema.ts'
import {
  DeliveryState,
  NotificationDelivery,
  NotificationRule,
  NotificationRuleDraft,
  NotificationRuleEdit,
} from './notification.schema.ts'
import { success } from '../reply.schema.ts'

const OneRule = success({ data: NotificationRule })
export const RULES_AT_MOST = 100
const DELIVERIES_AT_ONCE = 200

/** In order of title. */
export const listNotificationRules = route({
  name: 'notificationRules.list',
  method: 'GET',
  path: '/api/notification-rule',
  action: 'editNotifications',
  reply: success({
    data: z.array(NotificationRule),
    /** Of this site: receivers of SNMP v3 traps need it. In hexadecimal digits, without 0x. */
    snmpEngineId: z.string(),
  }),
})

/** 409 when there is a rule of that title. */
export const addNotificationRule = route({
  name: 'notificationRules.add',
  method: 'POST',
  addsObject: true,
  path: '/api/notification-rule',
  action: 'editNotifications',
  body: NotificationRuleDraft,
  reply: OneRule.extend({ id: z.string() }),
})

/** What waits is tried again at once. Stored secrets go on unless the host or the port is another. */
export const updateNotificationRule = route({
  name: 'notificationRules.update',
  method: 'PUT',
  path: '/api/notification-rule/:id',
  action: 'editNotifications',
  params: ById,
  body: NotificationRuleEdit,
  reply: OneRule,
})

/** What waits is not sent; what was sent stays in the log. */
export const removeNotificationRule = removal(
  'notificationRules.remove',
  '/api/notification-rule/:id',
  'editNotifications',
)

/** Sends a message at once, without a second try. How it went is in the delivery, and in the log. */
export const testNotificationRule = route({
  name: 'notificationRules.test',
  method: 'POST',
  path: '/api/notification-rule/:id/test',
  action: 'editNotifications',
  params: ById,
  reply: success({ data: NotificationDelivery }),
})

/**
 * The log: the newest first. `next` of an answer, given as `before`, answers those behind it; '' at
 * the end. Every filter is '' for any.
 */
export const listNotificationDeliveries = route({
  name: 'notificationRules.deliveries',
  method: 'GET',
  path: '/api/notification-delivery',
  action: 'editNotifications',
  query: z.strictObject({
    ruleId: z.union([Id, z.literal('')]).default(''),
    state: z.union([DeliveryState, z.literal('')]).default(''),
    before: z.string().max(100).default(''),
    limit: unlessEmpty(
      wholeNumber(1, DELIVERIES_AT_ONCE, `must be 1 to ${DELIVERIES_AT_ONCE} deliveries.`).default(
        25,
      ),
    ),
  }),
  reply: success({ data: z.array(NotificationDelivery), next: z.string() }),
})
