/** What an operator does to an override of an alarm rule: call, say how it went. */
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import {
  addOverride,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import {
  OverrideDraft,
  type AlarmOverride,
} from '@trunkline/contract/alarms/overrides/override.schema'
import { call } from '../../lib/call.ts'
import { useConfirmedCall } from '../../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import { draftOf, type OverrideValues } from './override-form.rules.ts'
import * as text from './override.messages.ts'

/** @returns adds, or changes `override`; rejects with an ApiError for the form to show */
export function useSaveOverride(override: AlarmOverride | null) {
  const client = useQueryClient()
  return async (values: OverrideValues, version: number | null): Promise<void> => {
    const draft = OverrideDraft.parse(draftOf(values))
    if (override === null) await call(addOverride, { body: draft })
    else {
      const { covers: _covers, rule: _rule, ...settings } = draft
      const at = version === null ? {} : { version }
      await call(updateOverride, { params: { id: override.id }, body: { ...settings, ...at } })
    }
    showToast('success', override === null ? text.ADDED : text.UPDATED, RULES[draft.rule].title)
    void invalidateKind(client, 'alarmOverride')
  }
}

function removalOf(id: string) {
  return ['alarmOverride', 'remove', id]
}

export function useIsRemoved({ id }: AlarmOverride): boolean {
  return useIsMutating({ mutationKey: removalOf(id) }) > 0
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveOverride(override: AlarmOverride) {
  const title = text.overrideText(override)
  const confirmed = useConfirmedCall(
    removalOf(override.id),
    (client) => void invalidateKind(client, 'alarmOverride'),
  )
  return async (): Promise<void> =>
    confirmed({
      sentences: [
        `Delete the override of '${title}'?`,
        'The rule then applies there without it, also to open alarms.',
      ],
      doLabel: 'Delete override',
      keepLabel: 'Keep override',
      interrupts: null,
      send: async () => call(removeOverride, { params: { id: override.id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}
