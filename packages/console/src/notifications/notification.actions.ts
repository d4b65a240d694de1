/** What an admin does to a notification rule: ask first where it must, call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addNotificationRule,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import {
  NotificationRuleDraft,
  NotificationRuleEdit,
  type NotificationDelivery,
  type NotificationRule,
} from '@trunkline/contract/notifications/notification.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import { bodyOf, type RuleValues } from './notification-form.rules.ts'
import * as text from './notification.messages.ts'

/** @returns adds, or changes `rule`; rejects with an ApiError for the form to show */
export function useSaveRule(rule: NotificationRule | null) {
  const client = useQueryClient()
  return async (values: RuleValues, version: number | null): Promise<void> => {
    const body = bodyOf(values)
    if (rule === null) {
      await call(addNotificationRule, { body: NotificationRuleDraft.parse(body) })
    } else {
      const edit = NotificationRuleEdit.parse({ ...body, ...(version === null ? {} : { version }) })
      await call(updateNotificationRule, { params: { id: rule.id }, body: edit })
    }
    showToast('success', rule === null ? text.ADDED : text.SAVED, values.title.trim())
    // Push tells of it too, but a browser that gets none shall see its own work.
    void invalidateKind(client, 'notificationRule')
  }
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveRule({ id, title }: NotificationRule) {
  const confirmed = useConfirmedCall(
    ['notificationRule', 'remove', id],
    (client) => void invalidateKind(client, 'notificationRule'),
  )
  return async (): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(title),
      doLabel: 'Delete rule',
      keepLabel: 'Keep rule',
      interrupts: null,
      send: async () => call(removeNotificationRule, { params: { id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}

/** `run` sends a test; how it went is given to `onDone`, and a call that failed is a toast. */
export function useTestRule(
  { id, title }: NotificationRule,
  onDone: (delivery: NotificationDelivery) => void,
) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => call(testNotificationRule, { params: { id } }),
    onSuccess: ({ data }) => onDone(data),
    onError: (error) => showToast('failure', sentenceFor(error, text.TEST_FAILED), title),
    onSettled: async () => invalidateKind(client, 'notificationRule'),
  })
  return { run: () => mutate(), isPending }
}
