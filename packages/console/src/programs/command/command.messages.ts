/** What commands say, whatever program they are given to; texts of the catalogue word for word. */
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { Interruption, ProgramCommand } from './command.rules.ts'

/** ERR-14, ERR-17. */
export const ACTION_WORKED = 'Action worked success'
export const ACTION_FAILED = 'Something went wrong'

export const COMMAND_WORDS: Record<ProgramCommand, string> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
}

/** After the word of a command: 'Stop encoder'. */
export const COMMANDED_KINDS: Readonly<Record<ProgramKind, string>> = {
  encoder: 'encoder',
  feeder: 'feeder',
  input: 'input',
  output: 'output',
}

export const HOST_DOES_NOT_ANSWER = 'The host does not answer, so no command reaches it.'
/** Of feeders, inputs and outputs. */
export const LINK_REASONS = {
  notRead: 'Its state is not known yet.',
  notRunning: 'Not running. Start it first.',
} as const

const PAST: Record<ProgramCommand, string> = {
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
}

/** 'Camera 3 restarted'. */
export function doneText(title: string, command: ProgramCommand): string {
  return `${title} ${PAST[command]}`
}

/**
 * The question before a stop or a restart. `what`: 'Camera 3', '3 inputs'. `loss`: what loses the
 * stream by it, 'Its outputs lose the stream'.
 */
export function interruptSentences(
  command: Interruption,
  what: string,
  loss: string,
  they: 'it is' | 'they are',
): readonly string[] {
  const untilStarted =
    they === 'it is' ? 'until it is started again' : 'until they are started again'
  const howLong = command === 'stop' ? untilStarted : 'for a few seconds'
  return [`${COMMAND_WORDS[command]} ${what}.`, `${loss} ${howLong}.`]
}
