/** How notification rules are tried by the walk through the role table. */
import {
  addNotificationRule,
  listNotificationDeliveries,
  listNotificationRules,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import { NotificationRuleDraft } from '@trunkline/contract/notifications/notification.schema'
import { newId } from '../../id.ts'
import * as ruleStore from '../../notifications/notification-rule.store.ts'
import { recipe, type Recipe } from './rules.ts'
import type { WalkSite } from './site.ts'

const target = {
  kind: 'snmp' as const,
  host: '127.0.0.1',
  port: 9,
  community: 'planted-api-key-7Q2x',
}

async function addRule({ site }: WalkSite): Promise<{ id: string }> {
  const id = newId()
  const draft = NotificationRuleDraft.parse({ title: id, isEnabled: false, target })
  if (draft.target.kind !== 'snmp') throw new Error('This recipe is for traps.')
  await ruleStore.insert(site.ctx.db, {
    id,
    version: 1,
    createdAt: new Date(site.ctx.clock()).toISOString(),
    secretsSealed: null,
    ...draft,
    // As a rule is stored: secrets stand apart, sealed.
    target: { ...draft.target, community: '' },
  })
  return { id }
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
