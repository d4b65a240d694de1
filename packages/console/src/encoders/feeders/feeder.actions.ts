/** What a click on a feeder does: ask first where it must, call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { sentenceFor } from '../../lib/api-error.ts'
import { call, type CallInput } from '../../lib/call.ts'
import { askFirst } from '../../lib/confirm.ts'
import { storage } from '../../lib/storage.ts'
import { plainSentence } from '../../lib/plain-sentence.ts'
import { showToast } from '../../lib/toast.ts'
import { encoderQuery } from '../encoder.queries.ts'
import type { CommandRight } from '../encoder.rules.ts'
import * as text from './feeder.messages.ts'
import { targetOf, type FeederCommand } from './feeder.rules.ts'

function keyOf({ name }: Feeder) {
  return ['feeder', 'action', name]
}

/** True while anything is done to this feeder, whoever on this page asked for it. */
export function useIsCommanded(feeder: Feeder): boolean {
  return useIsMutating({ mutationKey: keyOf(feeder) }) > 0
}

const PAST: Record<FeederCommand, string> = {
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
}

/** @returns gives a command as that right allows (FEED-08); never throws, the toast says how it went */
export function useFeederCommand(encoder: Encoder, feeder: Feeder) {
  const client = useQueryClient()
  const { title } = feeder.input
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(feeder),
    mutationFn: async (command: FeederCommand) =>
      call(contributionAction, {
        body: {
          id: encoder._id,
          type: ACTION_TYPE.feeder,
          actionType: command,
          feederName: feeder.name,
        },
      }),
  })
  return async (command: FeederCommand, right: CommandRight): Promise<void> => {
    if (!(await confirmCommand(feeder, command, right))) return
    try {
      const { status, error } = await mutateAsync(command)
      if (status) showToast('success', text.ACTION_WORKED, `${title} ${PAST[command]}`)
      else showToast('failure', plainSentence(error ?? '') || text.ACTION_FAILED, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.ACTION_FAILED), title)
    }
    // Without push the answer is the only news of the state: read it again.
    void client.invalidateQueries({ queryKey: ['feeder', 'status', feeder.name] })
    void client.invalidateQueries({ queryKey: ['feeder', 'log', feeder.name] })
  }
}

async function confirmCommand(
  feeder: Feeder,
  command: FeederCommand,
  right: CommandRight,
): Promise<boolean> {
  if (right.kind === 'locked') showToast('failure', NOT_AUTHORIZED, '')
  if (right.kind !== 'may') return false
  if (command === 'start') return true
  const [sentencesOf, verb] =
    command === 'stop' ? [text.stopSentences, 'Stop'] : [text.restartSentences, 'Restart']
  return askFirst({
    sentences: sentencesOf(feeder.input.title, targetOf(feeder)),
    doLabel: `${verb} feeder`,
    keepLabel: 'Keep running',
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
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(feeder),
    mutationFn: async () => call(removeFeeder, { params }),
  })
  return async (isRunning: boolean): Promise<void> => {
    const isConfirmed = await askFirst({
      sentences: text.deleteSentences(title, targetOf(feeder), isRunning),
      doLabel: 'Delete feeder',
      keepLabel: 'Keep feeder',
    })
    if (!isConfirmed) return
    try {
      show((await mutateAsync()).data)
      showToast('success', text.DELETED, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.DELETE_FAILED), title)
    }
  }
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
