/** What an operator does to a maintenance window: call, say how it went. */
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import {
  addMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import {
  MaintenanceDraft,
  type MaintenanceWindow,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { call } from '../../lib/call.ts'
import { useConfirmedCall } from '../../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { useRole } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { PLAN_REFUSED } from '../alarm.messages.ts'
import { ALARM_KEY } from '../alarm.queries.ts'
import { draftOf, type WindowValues } from './maintenance-form.rules.ts'
import * as text from './maintenance.messages.ts'

/** Also the alarms: others are quiet than before. */
function useReadAgain(): () => void {
  const client = useQueryClient()
  return () => {
    void invalidateKind(client, 'maintenance')
    void client.invalidateQueries({ queryKey: [ALARM_KEY, 'open'] })
  }
}

/** @returns plans, or changes `window`; rejects with an ApiError for the form to show */
export function useSaveWindow(window: MaintenanceWindow | null) {
  const readAgain = useReadAgain()
  return async (values: WindowValues, version: number | null): Promise<void> => {
    const { title, covers, times } = MaintenanceDraft.parse(draftOf(values))
    if (window === null) await call(addMaintenance, { body: { title, covers, times } })
    else {
      const at = version === null ? {} : { version }
      await call(updateMaintenance, { params: { id: window.id }, body: { title, times, ...at } })
    }
    showToast('success', window === null ? text.ADDED : text.UPDATED, title)
    readAgain()
  }
}

/** Why this person only sees them; null where they may plan. */
export function usePlanRefusal(): string | null {
  return mayDo(useRole(), 'planMaintenance') ? null : PLAN_REFUSED
}

function removalOf(id: string) {
  return ['maintenance', 'remove', id]
}

export function useIsRemoved({ id }: MaintenanceWindow): boolean {
  return useIsMutating({ mutationKey: removalOf(id) }) > 0
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveWindow({ id, title, activeUntil }: MaintenanceWindow) {
  const confirmed = useConfirmedCall(removalOf(id), useReadAgain())
  return async (): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(title, activeUntil !== null),
      doLabel: 'Delete window',
      keepLabel: 'Keep window',
      interrupts: null,
      send: async () => call(removeMaintenance, { params: { id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}
