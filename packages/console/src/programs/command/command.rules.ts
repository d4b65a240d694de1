/** What may be done with a program now, whatever it is; decided from data alone. */
import { isAlive, type ProgramState } from '@trunkline/contract/program-state'
import { HOST_DOES_NOT_ANSWER } from './command.messages.ts'

export type ProgramCommand = 'start' | 'stop' | 'restart'
/** What takes a stream away for a while, so it is asked first. */
export type Interruption = Exclude<ProgramCommand, 'start'>

/** What a click on the button of a command does. */
export type CommandRight =
  | { kind: 'may' }
  /** It answers with this sentence instead of acting. */
  | { kind: 'says'; sentence: string }
  /** Inert, with its reason. */
  | { kind: 'inert'; reason: string }
  /** Visible with a lock: a higher role may (Q33). */
  | { kind: 'locked' }

export const MAY: CommandRight = { kind: 'may' }

export function inert(reason: string): CommandRight {
  return { kind: 'inert', reason }
}

/** Up, or on its way up: a program in its retry pause is up too, and can only be stopped (DASH-15). */
export function offersStop(state: ProgramState | null): boolean {
  return state !== null && isAlive(state)
}

/** What the state alone allows; `reasons` as the program's own buttons say them. */
export function rightByState(
  command: ProgramCommand,
  state: ProgramState | null,
  reasons: { notRead: string; notRunning: string },
): CommandRight {
  if (state === null || state === 'unknown') return inert(reasons.notRead)
  if (state === 'unreachable') return inert(HOST_DOES_NOT_ANSWER)
  if (command === 'restart' && !offersStop(state)) return inert(reasons.notRunning)
  return MAY
}
