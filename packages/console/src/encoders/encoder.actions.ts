/** What a click on an encoder does: ask first where it must, call, say how it went. */
import {
  controlEncoder,
  type EncoderCommandResult,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { isRunningText } from '@trunkline/contract/program-state'
import { isNoAnswer, sentenceFor } from '../lib/api-error.ts'
import { intend } from '../lib/ask-before.ts'
import { call, type CallInput } from '../lib/call.ts'
import { plainSentence } from '../lib/plain-sentence.ts'
import {
  type CommandOutcome,
  confirmInterruption,
  sendUnlessStopped,
  useProgramCommand,
} from '../programs/command/command.actions.ts'
import {
  COMMANDED_KINDS,
  doneText,
  interruptSentences,
} from '../programs/command/command.messages.ts'
import type { ProgramCommand } from '../programs/command/command.rules.ts'
import { NO_RESPONSE, STILL_STOPPING, whatGoesDark } from './encoder.messages.ts'
import { commandName } from './encoder.rules.ts'

/** @returns gives a command as that right allows; never throws, the toast says how it went */
export function useEncoderCommand(encoder: Encoder) {
  return useProgramCommand({
    kind: 'encoder',
    id: encoder._id,
    title: encoder.title,
    loss: lossOf(encoder),
    intended: (command) => intend(controlEncoder, commandOf(encoder, command)),
    send: async (command) => sendCommand(encoder, command),
  })
}

function lossOf({ config }: Encoder): string {
  return whatGoesDark(config?.feeder.length ?? 0)
}

/** `saved`: what is saved before it. @returns true when the operator chose to interrupt it */
export async function confirmRestart(
  encoder: Encoder,
  saved?: CallInput<typeof updateEncoder>['body'],
): Promise<boolean> {
  const sentences = interruptSentences('restart', encoder.title, lossOf(encoder), 'it is')
  const restart = intend(controlEncoder, commandOf(encoder, 'restart'))
  const intended = saved ? [restart, intend(updateEncoder, { body: saved })] : restart
  return confirmInterruption('restart', COMMANDED_KINDS.encoder, sentences, intended)
}

function commandOf(encoder: Encoder, command: ProgramCommand) {
  const data = { name: commandName(encoder), command }
  return { params: { id: encoder._id }, body: { data } }
}

/** Never throws. */
export async function sendCommand(
  encoder: Encoder,
  command: ProgramCommand,
): Promise<CommandOutcome> {
  return sendUnlessStopped('encoder', encoder._id, command, async () => control(encoder, command))
}

/** Never throws. */
async function control(encoder: Encoder, command: ProgramCommand): Promise<CommandOutcome> {
  try {
    return outcomeOf(encoder, command, await call(controlEncoder, commandOf(encoder, command)))
  } catch (error) {
    return { kind: 'failed', sentence: sentenceOfFailure(error) }
  }
}

function outcomeOf(
  { title }: Encoder,
  command: ProgramCommand,
  result: EncoderCommandResult,
): CommandOutcome {
  const error = result.error ?? ''
  const failure = error === '' ? result.results : error
  if (error !== '' || result.results === '' || !didWork(command, result)) {
    return { kind: 'failed', sentence: plainSentence(failure) || NO_RESPONSE }
  }
  if (result.state !== 'stopping') return { kind: 'done', detail: doneText(title, command) }
  return { kind: 'done', detail: `${title}: ${STILL_STOPPING[command]}` }
}

/** The host answered; whether it carried out the command is in the state. */
function didWork(command: ProgramCommand, { state, results }: EncoderCommandResult): boolean {
  if (command === 'stop') return !isRunningText(results)
  if (state === undefined) return isRunningText(results)
  // decisions.md 15: after 2 s the host answers with what it is at; a restart stops first.
  if (command === 'restart' && state === 'stopping') return true
  return state === 'running' || state === 'starting'
}

/** DASH-21, Q59: no HTTP answer at all. */
function sentenceOfFailure(error: unknown): string {
  if (isNoAnswer(error)) return NO_RESPONSE
  return sentenceFor(error, NO_RESPONSE)
}
