/** What a click on an encoder does: ask first where it must, call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  controlEncoder,
  type EncoderCommandResult,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { isRunningText } from '@trunkline/contract/program-state'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { plainSentence } from '../lib/plain-sentence.ts'
import { showToast } from '../lib/toast.ts'
import {
  ACTION_WORKED,
  NO_RESPONSE,
  restartSentences,
  STILL_STOPPING,
  stopSentences,
} from './encoder.messages.ts'
import { commandName, type CommandRight } from './encoder.rules.ts'

export type RunCommand = 'start' | 'stop' | 'restart'

function keyOf(encoder: Encoder) {
  return ['encoder', 'control', encoder._id]
}

/** True while any command for this encoder is under way, whoever on this page gave it. */
export function useIsCommanded(encoder: Encoder): boolean {
  return useIsMutating({ mutationKey: keyOf(encoder) }) > 0
}

/** @returns gives a command as that right allows; never throws, the toast says how it went */
export function useEncoderCommand(encoder: Encoder) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(encoder),
    mutationFn: async (command: RunCommand) =>
      call(controlEncoder, {
        params: { id: encoder._id },
        body: { data: { name: commandName(encoder), command } },
      }),
  })
  return async (command: RunCommand, right: CommandRight): Promise<void> => {
    if (!(await confirmCommand(encoder, command, right))) return
    try {
      tellOutcome(encoder, command, await mutateAsync(command))
    } catch (error) {
      showToast('failure', sentenceOfFailure(error), encoder.title)
    }
    // Without push the answer is the only news of the state: read it again.
    void client.invalidateQueries({ queryKey: ['encoder', 'status', encoder._id] })
  }
}

async function confirmCommand(
  encoder: Encoder,
  command: RunCommand,
  right: CommandRight,
): Promise<boolean> {
  if (right.kind === 'inert') return false
  if (right.kind === 'locked') {
    showToast('failure', NOT_AUTHORIZED, '')
    return false
  }
  if (right.kind === 'says') {
    showToast('warning', right.sentence, encoder.title)
    return false
  }
  if (command === 'start') return true
  return command === 'restart' ? confirmRestart(encoder) : confirmStop(encoder)
}

async function confirmStop({ title, config }: Encoder): Promise<boolean> {
  return askFirst({
    sentences: stopSentences(title, config?.feeder.length ?? 0),
    doLabel: 'Stop encoder',
    keepLabel: 'Keep running',
  })
}

/** @returns true when the operator chose to interrupt it */
export async function confirmRestart({ title, config }: Encoder): Promise<boolean> {
  return askFirst({
    sentences: restartSentences(title, config?.feeder.length ?? 0),
    doLabel: 'Restart encoder',
    keepLabel: 'Keep running',
  })
}

/** The toast that says how a command went. */
export function tellOutcome(
  encoder: Encoder,
  command: RunCommand,
  result: EncoderCommandResult,
): void {
  const error = result.error ?? ''
  const failure = error === '' ? result.results : error
  if (error !== '' || result.results === '' || !didWork(command, result)) {
    showToast('failure', plainSentence(failure) || NO_RESPONSE, encoder.title)
  } else showToast('success', ACTION_WORKED, doneText(encoder.title, command, result))
}

function doneText(title: string, command: RunCommand, { state }: EncoderCommandResult): string {
  if (state === 'stopping') return `${title}: ${STILL_STOPPING[command]}`
  return `${title} ${PAST[command]}`
}

const PAST: Record<RunCommand, string> = {
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
}

/** The host answered; whether it did what it was told stands in the state. */
function didWork(command: RunCommand, { state, results }: EncoderCommandResult): boolean {
  if (command === 'stop') return !isRunningText(results)
  if (state === undefined) return isRunningText(results)
  // decisions.md 15: after 2 s the host answers with what it is at; a restart stops first.
  if (command === 'restart' && state === 'stopping') return true
  return state === 'running' || state === 'starting'
}

/** DASH-21, Q59: no HTTP answer at all. */
export function sentenceOfFailure(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'no-answer') return NO_RESPONSE
  return sentenceFor(error, NO_RESPONSE)
}
