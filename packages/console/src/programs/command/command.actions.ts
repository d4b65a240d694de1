/** What a click on Start, Stop or Restart does: ask first where it must, call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { ERROR_STOPPED_MEANWHILE } from '@trunkline/contract/program-state'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { sentenceFor } from '../../lib/api-error.ts'
import { call, type CallInput } from '../../lib/call.ts'
import { askBefore, intend, type Intended } from '../../lib/ask-before.ts'
import type { Question } from '../../lib/confirm.ts'
import { readLive } from '../../lib/live/live-store.ts'
import { plainSentence } from '../../lib/plain-sentence.ts'
import { showToast } from '../../lib/toast.ts'
import { actionKey, isBusy } from './busy.hook.ts'
import * as text from './command.messages.ts'
import type { CommandRight, Interruption, ProgramCommand } from './command.rules.ts'

export type CommandOutcome =
  /** `detail`: what the toast adds. */
  { kind: 'done'; detail: string } | { kind: 'failed'; sentence: string }

interface CommandedProgram {
  kind: ProgramKind
  id: string
  title: string
  /** What loses the stream while it does not run: 'Its outputs lose the stream'. */
  loss: string
  /** The call that `send` makes. */
  intended: (command: ProgramCommand) => Intended
  /** Never throws. */
  send: (command: ProgramCommand) => Promise<CommandOutcome>
}

/** @returns gives a command as that right allows; never throws, the toast says how it went */
export function useProgramCommand({ kind, id, title, loss, intended, send }: CommandedProgram) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({ mutationKey: actionKey(kind, id), mutationFn: send })
  return async (command: ProgramCommand, right: CommandRight): Promise<void> => {
    if (!isAllowed(right, title)) return
    if (command !== 'start') {
      const sentences = text.interruptSentences(command, title, loss, 'it is')
      const what = text.COMMANDED_KINDS[kind]
      if (!(await confirmInterruption(command, what, sentences, intended(command)))) return
    }
    // Two clicks, one call (DLG-14): the second may come before the button is drawn inert.
    if (isBusy(client, kind, id)) return
    showOutcome(title, await mutateAsync(command))
    // Without push the answer is the only news: state, uptime and log are read again (CON-IN-22).
    void client.invalidateQueries({ queryKey: [kind, 'status', id] })
    void client.invalidateQueries({ queryKey: [kind, 'log', id] })
  }
}

/** Where it is not, the toast says why. */
function isAllowed(right: CommandRight, title: string): boolean {
  if (right.kind === 'locked') showToast('failure', NOT_AUTHORIZED, '')
  if (right.kind === 'says') showToast('warning', right.sentence, title)
  return right.kind === 'may'
}

/**
 * `what`: 'encoder', '3 inputs'. `intended`: the call that follows, or all of them.
 * @returns true when the operator chose to interrupt it
 */
export async function confirmInterruption(
  command: Interruption,
  what: string,
  sentences: readonly string[],
  intended: Intended | readonly Intended[],
): Promise<boolean> {
  return askBefore(intended, interruptionQuestion(command, what, sentences))
}

function interruptionQuestion(
  command: Interruption,
  what: string,
  sentences: readonly string[],
): Question {
  const doLabel = `${text.COMMAND_WORDS[command]} ${what}`
  return { sentences, doLabel, keepLabel: 'Keep running' }
}

/** The call that `sendLinkAction` makes. */
export function intendedLinkAction(body: LinkAction): Intended {
  return intend(contributionAction, { body })
}

/** The toast that says how a command went. */
export function showOutcome(title: string, outcome: CommandOutcome): void {
  if (outcome.kind === 'done') showToast('success', text.ACTION_WORKED, outcome.detail)
  else showToast('failure', outcome.sentence, title)
}

type LinkAction = CallInput<typeof contributionAction>['body'] & { actionType: ProgramCommand }

/**
 * A restart that was asked for while it ran does not start what somebody has stopped meanwhile: the
 * question was open for a while, or others of a selection came first.
 */
export async function sendUnlessStopped(
  kind: ProgramKind,
  id: string,
  command: ProgramCommand,
  send: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  if (command !== 'restart' || !isStopped(kind, id)) return send()
  return { kind: 'failed', sentence: ERROR_STOPPED_MEANWHILE }
}

/** As pushed; false where that is not known now. */
function isStopped(kind: ProgramKind, id: string): boolean {
  const { connection, programs } = readLive()
  return connection.state === 'live' && programs.get(programKey(kind, id))?.wanted === 'stopped'
}

/** Feeders, inputs and outputs are commanded by one call. Never throws. */
export async function sendLinkAction(title: string, body: LinkAction): Promise<CommandOutcome> {
  try {
    const { status, error } = await call(contributionAction, { body })
    if (status) return { kind: 'done', detail: text.doneText(title, body.actionType) }
    return { kind: 'failed', sentence: plainSentence(error ?? '') || text.ACTION_FAILED }
  } catch (error) {
    return { kind: 'failed', sentence: sentenceFor(error, text.ACTION_FAILED) }
  }
}
