/** Each change of notification rules once, for walks through every change. */
import {
  addNotificationRule,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import type { Step } from '../testing/change-walk.ts'

export async function walkNotifications(step: Step): Promise<void> {
  const target = { kind: 'snmp' as const, host: '127.0.0.1', port: 9, community: 'walked' }
  const id = await step(addNotificationRule, 'after', { body: { title: 'Night shift', target } })
  const body = { title: 'Day shift', target }
  await step(updateNotificationRule, 'before and after', { params: { id }, body })
  await step(testNotificationRule, 'neither', { params: { id } })
  await step(removeNotificationRule, 'before', { params: { id } })
}
