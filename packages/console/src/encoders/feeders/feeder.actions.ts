/** What a click on a feeder does: ask first where it must, call, say how it went. */
import { useQueryClient } from '@tanstack/react-query'
import { ACTION_TYPE } from '@trunkline/contract/contributions/contribution.calls'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { call, type CallInput } from '../../lib/call.ts'
import { intend } from '../../lib/ask-before.ts'
import { useConfirmedCall } from '../../lib/confirmed-call.hook.ts'
import { storage } from '../../lib/storage.ts'
import { showToast } from '../../lib/toast.ts'
import { actionKey } from '../../programs/command/busy.hook.ts'
import {
  intendedLinkAction,
  sendLinkAction,
  sendUnlessStopped,
  useProgramCommand,
} from '../../programs/command/command.actions.ts'
import { encoderQuery } from '../encoder.queries.ts'
import * as text from './feeder.messages.ts'
import { targetOf } from './feeder.rules.ts'

/** @returns gives a command as that right allows (FEED-08); never throws, the toast says how it went */
export function useFeederCommand(encoder: Encoder, feeder: Feeder) {
  const { name: feederName } = feeder
  const { title } = feeder.input
  return useProgramCommand({
    kind: 'feeder',
    id: feederName,
    title,
    loss: text.getsNoStream(targetOf(feeder)),
    intended: (actionType) =>
      intendedLinkAction({ id: encoder._id, type: ACTION_TYPE.feeder, actionType, feederName }),
    send: async (actionType) =>
      sendUnlessStopped('feeder', feederName, actionType, async () =>
        sendLinkAction(title, {
          id: encoder._id,
          type: ACTION_TYPE.feeder,
          actionType,
          feederName,
        }),
      ),
  })
}

/** FEED-24: what the API answers is what is shown, and the page reopens on this tab (CFG-05). */
function useShowChanged() {
  const client = useQueryClient()
  return (changed: Encoder) => {
    storage.feederTab.write(true)
    client.setQueryData(encoderQuery(changed._id).queryKey, changed)
  }
}

/** @returns deletes the feeder when the operator means it; never throws, the toast says how it went */
export function useRemoveFeeder(encoder: Encoder, feeder: Feeder) {
  const show = useShowChanged()
  const { title } = feeder.input
  const params = { encoderId: encoder._id, feederName: feeder.name }
  const confirmed = useConfirmedCall(actionKey('feeder', feeder.name), () => {})
  return async (isRunning: boolean): Promise<void> =>
    confirmed({
      sentences: text.deleteSentences(title, targetOf(feeder), isRunning),
      doLabel: 'Delete feeder',
      keepLabel: 'Keep feeder',
      interrupts: intend(removeFeeder, { params }),
      send: async () => show((await call(removeFeeder, { params })).data),
      done: text.DELETED,
      failed: text.DELETE_FAILED,
      title,
    })
}

/** FEED-22, Q91. @returns adds or changes a feeder and says so; throws ApiError when nothing was saved */
export function useSaveFeeder() {
  const show = useShowChanged()
  return async (body: CallInput<typeof saveFeeder>['body']): Promise<void> => {
    const { data, feeder } = await call(saveFeeder, { params: { product: 'acan' }, body })
    show(data)
    showToast('success', text.UPDATED, feeder.input.title)
  }
}
