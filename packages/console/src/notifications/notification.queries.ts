/** Notification rules and what was sent. Both are read again when a push says that a rule has changed. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  listNotificationDeliveries,
  listNotificationRules,
} from '@trunkline/contract/notifications/notification.calls'
import type { DeliveryState } from '@trunkline/contract/notifications/notification.schema'
import { call } from '../lib/call.ts'

/** First part of every key here. */
export const NOTIFICATION_KEY = 'notificationRule'

export function rulesQuery() {
  return queryOptions({
    queryKey: [NOTIFICATION_KEY, 'list'],
    queryFn: async ({ signal }) => call(listNotificationRules, { signal }),
  })
}

export function deliveriesQuery(state: DeliveryState | '') {
  return infiniteQueryOptions({
    queryKey: [NOTIFICATION_KEY, 'deliveries', state],
    queryFn: async ({ signal, pageParam }) =>
      call(listNotificationDeliveries, { query: { state, before: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
  })
}
