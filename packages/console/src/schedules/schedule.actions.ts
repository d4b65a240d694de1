/** What an operator does to a schedule: call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addSchedule,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import {
  ScheduleContent,
  type Schedule,
  type ScheduleSource,
} from '@trunkline/contract/schedules/schedule.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { useConfirmedCall } from '../lib/confirmed-call.hook.ts'
import type { OnAirObject } from '../lib/on-air.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showToast } from '../lib/toast.ts'
import { COMMAND_WORDS } from '../shared/schedules/schedule.messages.ts'
import { contentOf, type ScheduleValues } from './schedule-form.rules.ts'
import * as text from './schedule.messages.ts'

function useReadAgain(): () => void {
  const client = useQueryClient()
  return () => void invalidateKind(client, 'schedule')
}

/** 'Stop, Fri 27 Nov 18:00 UTC' */
export function scheduleName(schedule: Pick<Schedule, 'command' | 'times'>): string {
  return `${COMMAND_WORDS[schedule.command]}, ${text.timesText(schedule)}`
}

/** @returns adds, or changes `schedule`; rejects with an ApiError for the form to show */
export function useSaveSchedule(
  { kind, id, title }: OnAirObject,
  schedule: Schedule | null,
  sources: readonly ScheduleSource[],
) {
  const readAgain = useReadAgain()
  return async (values: ScheduleValues, version: number | null): Promise<void> => {
    const { isEnabled: _, ...content } = ScheduleContent.parse(contentOf(values, sources))
    if (schedule === null) {
      await call(addSchedule, { body: { object: { kind, id }, ...content } })
    } else {
      const at = version === null ? {} : { version }
      await call(updateSchedule, { params: { id: schedule.id }, body: { ...content, ...at } })
    }
    showToast('success', schedule === null ? text.ADDED : text.UPDATED, title)
    readAgain()
  }
}

/** Enabled, disabled or deleted: one at a time. */
export function useIsChanging({ id }: Schedule): boolean {
  return useIsMutating({ mutationKey: ['schedule', 'change', id] }) > 0
}

/** @returns switches it on or off; never throws, the toast says how it went */
export function useEnableSchedule(schedule: Schedule) {
  const readAgain = useReadAgain()
  const { id, object } = schedule
  const { mutateAsync } = useMutation({
    mutationKey: ['schedule', 'change', id],
    mutationFn: async (isEnabled: boolean) =>
      call(updateSchedule, { params: { id }, body: { isEnabled } }),
  })
  return async (isEnabled: boolean): Promise<void> => {
    try {
      await mutateAsync(isEnabled)
      showToast('success', isEnabled ? text.ENABLED : text.DISABLED, object.title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.SAVE_FAILED), object.title)
    }
    readAgain()
  }
}

/** @returns asks, then deletes; never throws, the toast says how it went */
export function useRemoveSchedule(schedule: Schedule) {
  const { id, object } = schedule
  const confirmed = useConfirmedCall(['schedule', 'change', id], useReadAgain())
  return async (): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(scheduleName(schedule)),
      doLabel: 'Delete schedule',
      keepLabel: 'Keep schedule',
      interrupts: null,
      send: async () => call(removeSchedule, { params: { id } }),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title: object.title,
    })
}
