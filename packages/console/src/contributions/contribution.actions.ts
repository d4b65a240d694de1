/** What a click on an input or output does: ask first where it must, call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ACTION_TYPE, updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import {
  removeInput,
  setInputsStatus,
  cloneInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  removeOutput,
  setOutputsStatus,
  cloneOutput,
} from '@trunkline/contract/contributions/output.calls'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askBefore, intend, type Intended } from '../lib/ask-before.ts'
import { plainSentence } from '../lib/plain-sentence.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { showOffer, showToast } from '../lib/toast.ts'
import { actionKey, isBusy } from '../programs/command/busy.hook.ts'
import {
  type CommandOutcome,
  confirmInterruption,
  intendedLinkAction,
  sendLinkAction,
  sendUnlessStopped,
  useProgramCommand,
} from '../programs/command/command.actions.ts'
import { COMMANDED_KINDS, interruptSentences } from '../programs/command/command.messages.ts'
import type { ProgramCommand } from '../programs/command/command.rules.ts'
import { outputsThatHold } from './bulk/bulk.rules.ts'
import * as text from './contribution.messages.ts'
import { outputsOfInput } from './contribution.queries.ts'
import type { Link, LinkKind } from './link.rules.ts'
import { cloneDestination } from '@trunkline/contract/contributions/destination.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import type { LinkCopy } from '@trunkline/contract/contributions/link.schema'

/** @returns gives a command as that right allows; never throws, the toast says how it went */
export function useLinkCommand(link: Link) {
  const { kind, id, title, outputs } = link
  return useProgramCommand({
    kind,
    id,
    title,
    loss: text.whoLoses(kind, outputs),
    intended: (command) => intendedCommand(link, command),
    send: async (command) => sendCommand(link, command),
  })
}

/** Never throws. */
export async function sendCommand(
  { kind, id, title }: Pick<Link, 'kind' | 'id' | 'title'>,
  actionType: ProgramCommand,
): Promise<CommandOutcome> {
  return sendUnlessStopped(kind, id, actionType, async () =>
    sendLinkAction(title, { id, type: ACTION_TYPE[kind], actionType }),
  )
}

/** `saved`: what is saved before it. @returns true when the operator chose to interrupt it */
export async function confirmRestart(link: Link, saved?: Intended): Promise<boolean> {
  const { kind, title, outputs } = link
  const sentences = interruptSentences('restart', title, text.whoLoses(kind, outputs), 'it is')
  const restart = intendedCommand(link, 'restart')
  const what = COMMANDED_KINDS[kind]
  return confirmInterruption('restart', what, sentences, saved ? [restart, saved] : restart)
}

/** The call that `sendCommand` makes. */
export function intendedCommand(
  { kind, id }: Pick<Link, 'kind' | 'id'>,
  actionType: ProgramCommand,
): Intended {
  return intendedLinkAction({ id, type: ACTION_TYPE[kind], actionType })
}

/** One call for one or several (CON-IN-37, CON-OUT-17). */
export async function sendStatus(kind: LinkKind, names: string[], isDisable: boolean) {
  const body = { names, isDisable }
  return kind === 'input' ? call(setInputsStatus, { body }) : call(setOutputsStatus, { body })
}

/** @returns enables or disables the link; one that runs would stop, so that is asked first */
export function useSetEnabled(link: Link) {
  const client = useQueryClient()
  const { kind, id, title } = link
  const { mutateAsync } = useMutation({
    mutationKey: actionKey(kind, id),
    mutationFn: async (isDisable: boolean) => sendStatus(kind, [link.name], isDisable),
  })
  return async (isEnabled: boolean, isUp: boolean): Promise<void> => {
    const sentences = text.disableSentences(kind, title)
    if (!isEnabled && isUp && !(await mayDisable(kind, [[link.name]], sentences))) return
    if (isBusy(client, kind, id)) return
    try {
      const { failed } = await mutateAsync(!isEnabled)
      const sentence = failed[0]?.error
      if (sentence === undefined) showToast('success', text.STATUS_UPDATED, title)
      else showToast('failure', plainSentence(sentence) || text.STATUS_FAILED, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.STATUS_FAILED), title)
    }
    void invalidateKind(client, kind)
  }
}

/** `parts`: the names of each call. */
export async function mayDisable(
  kind: LinkKind,
  parts: readonly string[][],
  sentences: readonly string[],
): Promise<boolean> {
  const route = kind === 'input' ? setInputsStatus : setOutputsStatus
  const calls = parts.map((names) => intend(route, { body: { names, isDisable: true } }))
  return askBefore(calls, {
    sentences,
    doLabel: 'Disable',
    keepLabel: 'Keep enabled',
  })
}

/**
 * CON-IN-31 to CON-IN-33, CON-OUT-15. `onShowOutputs`: opens the outputs of that input.
 * @returns asks, then deletes; never throws, the toast says how it went
 */
export function useRemoveLink(link: Link, onShowOutputs: (inputId: string) => void) {
  const client = useQueryClient()
  const { kind, id, title } = link
  const { mutateAsync } = useMutation({
    mutationKey: actionKey(kind, id),
    mutationFn: async () =>
      kind === 'input'
        ? call(removeInput, { params: { id } })
        : call(removeOutput, { params: { id } }),
  })
  return async (): Promise<void> => {
    try {
      // What the row knows may be old: the number in the message is read anew.
      const outputs = link.outputs === 0 ? 0 : await outputsOfInput(id)
      if (outputs > 0) {
        showHasOutputs(title, outputs, () => onShowOutputs(id))
        return
      }
      const route = kind === 'input' ? removeInput : removeOutput
      const isConfirmed = await askBefore(intend(route, { params: { id } }), {
        sentences: text.deleteSentences(kind, title),
        doLabel: text.DELETE_DO[kind],
        keepLabel: text.DELETE_KEEP[kind],
      })
      if (!isConfirmed || isBusy(client, kind, id)) return
      await mutateAsync()
      showToast('success', text.STREAM_DELETED, title)
    } catch (error) {
      const sentence = sentenceFor(error, text.DELETE_FAILED)
      const outputs = outputsThatHold(sentence)
      if (outputs === null) showToast('failure', sentence, title)
      else showHasOutputs(title, outputs, () => onShowOutputs(id))
    }
    void invalidateKind(client, kind)
  }
}

/** CON-IN-32 to CON-IN-34. */
export function showHasOutputs(title: string, outputs: number, show: () => void): void {
  showOffer('warning', text.inputHasOutputs(outputs), `${title}. ${text.DELETE_OUTPUTS_FIRST}`, [
    { label: text.SHOW_OUTPUTS, does: show },
    { label: text.CLOSE, does: () => {} },
  ])
}

interface Renamed {
  kind: text.ObjectWord
  id: string
}

/**
 * CON-IN-29, CON-OUT-13, CON-DEST-12. @returns rejects with an ApiError for the field to show, also when
 * it has another name by now than `formerTitle`, which was on the screen
 */
export function useRename({ kind, id }: Renamed) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: actionKey(kind, id),
    mutationFn: async (titles: { title: string; formerTitle: string }) =>
      call(updateTitle, { body: { inputId: id, type: kind, ...titles } }),
  })
  return async (title: string, formerTitle: string): Promise<void> => {
    const { data } = await mutateAsync({ title, formerTitle })
    showToast('success', text.RENAMED, `${formerTitle} is ${data.title} now`)
    void invalidateKind(client, kind)
  }
}

/** The title that an object has now, where a refusal says that it was renamed. */
export function titleNow(error: unknown): string | null {
  const current = error instanceof ApiError ? error.current : null
  const isTitled = typeof current === 'object' && current !== null && 'title' in current
  return isTitled && typeof current.title === 'string' ? current.title : null
}

/** @returns clones and says so; rejects with an ApiError for the form to show */
export function useCloneLink({ kind, id }: Link) {
  const client = useQueryClient()
  return async (body: LinkCopy): Promise<void> => {
    const params = { id }
    const isInput = kind === 'input'
    const { data } = await (isInput
      ? call(cloneInput, { params, body })
      : call(cloneOutput, { params, body }))
    showToast('success', isInput ? text.INPUT_ADDED : text.OUTPUT_ADDED, data.title)
    void invalidateKind(client, kind)
    // How many outputs it has stands with the input.
    if (!isInput) void invalidateKind(client, 'input')
  }
}

export function useCloneDestination({ id }: Destination) {
  const client = useQueryClient()
  return async (title: string): Promise<void> => {
    const { data } = await call(cloneDestination, { params: { id }, body: { title } })
    showToast('success', text.DESTINATION_ADDED, data.title)
    void invalidateKind(client, 'destination')
  }
}
