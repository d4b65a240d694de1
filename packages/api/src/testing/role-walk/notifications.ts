/** How notification rules are tried by the walk through the role table. */
import {
  addNotificationRule,
  listNotificationDeliveries,
  listNotificationRules,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import { newId } from '../../id.ts'
import { recipe, type Recipe } from './rules.ts'
import type { WalkSite } from './site.ts'

const target = {
  kind: 'snmp' as const,
  host: '127.0.0.1',
  port: 9,
  community: 'planted-api-key-7Q2x',
}

/** A rule that an admin has made. */
async function addRule({ site }: WalkSite): Promise<{ id: string }> {
  const { answer } = await site.call('admin', addNotificationRule, {
    body: { title: newId(), isEnabled: false, target },
  })
  const removed = await site.call('admin', listNotificationRules, {})
  // A site has a limited number of them.
  for (const { id } of removed.answer.data.filter((rule) => rule.id !== answer.id)) {
    await site.call('admin', removeNotificationRule, { params: { id } })
  }
  return { id: answer.id }
}

const places = ['none'] as const

export const NOTIFICATION_RECIPES: readonly Recipe[] = [
  recipe(listNotificationRules, { places, input: () => ({}) }),
  recipe(addNotificationRule, {
    places,
    input: () => ({ body: { title: newId(), target } }),
  }),
  recipe(updateNotificationRule, {
    places,
    input: async (walk) => ({ params: await addRule(walk), body: { title: newId(), target } }),
  }),
  recipe(removeNotificationRule, {
    places,
    input: async (walk) => ({ params: await addRule(walk) }),
  }),
  recipe(testNotificationRule, {
    places,
    input: async (walk) => ({ params: await addRule(walk) }),
  }),
  recipe(listNotificationDeliveries, { places, input: () => ({ query: {} }) }),
]
