/** What an operator does to an alarm: call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  muteAlarm,
  unacknowledgeAlarm,
  unmuteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import type { BodyOf } from '@trunkline/contract/route'
import type { AlarmHead } from '@trunkline/contract/alarms/open-alarms.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { showToast } from '../lib/toast.ts'
import { titleOf } from './alarm-view.rules.ts'
import * as text from './alarm.messages.ts'
import { ALARM_KEY } from './alarm.queries.ts'

export type AlarmDeed =
  | { does: 'acknowledge'; note: string }
  | { does: 'mute'; minutes: number }
  | { does: 'unacknowledge' | 'unmute' }

type Shown = Pick<AlarmHead, 'id' | 'version' | 'kind' | 'title' | 'objectId'>

const DONE: Readonly<Record<AlarmDeed['does'], string>> = {
  acknowledge: text.ACKNOWLEDGED,
  unacknowledge: text.UNACKNOWLEDGED,
  mute: text.MUTED,
  unmute: text.UNMUTED,
}

async function carryOut({ id, version }: Shown, deed: AlarmDeed): Promise<void> {
  const params = { id }
  switch (deed.does) {
    case 'acknowledge':
      await call(acknowledgeAlarm, { params, body: { note: deed.note, version } })
      return
    case 'mute':
      await call(muteAlarm, { params, body: { minutes: deed.minutes, version } })
      return
    case 'unacknowledge':
      await call(unacknowledgeAlarm, { params, body: { version } })
      return
    case 'unmute':
      await call(unmuteAlarm, { params, body: { version } })
  }
}

/** Says that it was done; rejects with an ApiError for the form to show. */
export function useAskedDeed(): (alarm: Shown, deed: AlarmDeed) => Promise<void> {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: async ({ alarm, deed }: { alarm: Shown; deed: AlarmDeed }) => carryOut(alarm, deed),
    onSettled: () => void client.invalidateQueries({ queryKey: [ALARM_KEY] }),
  })
  return async (alarm, deed) => {
    await mutateAsync({ alarm, deed })
    showToast('success', DONE[deed.does], titleOf(alarm))
  }
}

/** Never throws: the toast says how it went. */
export function useAlarmDeed(): (alarm: Shown, deed: AlarmDeed) => Promise<void> {
  const carryOutOrReject = useAskedDeed()
  return async (alarm, deed) => {
    try {
      await carryOutOrReject(alarm, deed)
    } catch (error) {
      showToast('failure', text.NOT_CHANGED, sentenceFor(error, ''))
    }
  }
}

/**
 * Says how many were acknowledged, and of how many that was not possible; rejects with an ApiError for the form to
 * show.
 */
export function useAcknowledgeSeveral(): (alarms: readonly Shown[], note: string) => Promise<void> {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: async (body: BodyOf<typeof acknowledgeAlarms>) => call(acknowledgeAlarms, { body }),
    onSettled: () => void client.invalidateQueries({ queryKey: [ALARM_KEY] }),
  })
  return async (alarms, note) => {
    const named = alarms.map(({ id, version }) => ({ id, version }))
    const { data } = await mutateAsync({ alarms: named, note })
    const [done, left] = [data.acknowledged.length, data.left.length]
    showToast(
      left === 0 ? 'success' : 'warning',
      text.acknowledgedText(done, left),
      left === 0 ? '' : text.LEFT_REASON,
    )
  }
}
