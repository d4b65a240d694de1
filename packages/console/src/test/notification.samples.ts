/** A message that was sent, as the API answers it. */
import type { NotificationDelivery } from '@trunkline/contract/notifications/notification.schema'

export function deliveryOf(more: Partial<NotificationDelivery> = {}): NotificationDelivery {
  return {
    _id: 'd1',
    id: 'd1',
    ruleId: 'rule1',
    ruleTitle: 'Night shift',
    kind: 'email',
    reason: 'test',
    state: 'failed',
    createdAt: '2026-11-27T03:00:00.000Z',
    attempts: 1,
    nextTryAt: null,
    finishedAt: '2026-11-27T03:00:01.000Z',
    answer: 'mail.example:587 refuses the connection. Check the port, and that the service runs.',
    subject: '[Trunkline] Test of Night shift',
    text: 'This is a test.',
    ...more,
  }
}
