/** Which actions the palette offers on an object; what a role may not do is not among them. */
import { changeStreamStatus } from '@trunkline/contract/channels/channel.calls'
import { ON_AIR_RIGHTS } from '@trunkline/contract/on-air/on-air.rules'
import type { ProgramState } from '@trunkline/contract/program-state'
import { mayDo, type Action } from '@trunkline/contract/role-table'
import { mayCall, type Role } from '@trunkline/contract/roles'
import {
  type CommandRight,
  offersStop,
  type ProgramCommand,
} from '../../programs/command/command.rules.ts'
import type { FoundObject } from './found-object.rules.ts'
import { ALREADY_RUNNING, COMMAND_UNDER_WAY, NOT_RUNNING } from './palette.messages.ts'

/** turn: stop what runs, start what does not. */
export type ObjectAction = ProgramCommand | 'turn' | 'on air' | 'path'

const COMMAND_RIGHTS = {
  encoder: 'controlEncoder',
  feeder: 'controlFeeder',
  input: 'controlInputs',
  output: 'editOutputs',
} as const satisfies Record<string, Action>

/** `command`: what was typed before the object; then that alone. */
export function actionsOn(
  { kind }: Pick<FoundObject, 'kind'>,
  command: ProgramCommand | null,
  role: Role | null,
): ObjectAction[] {
  if (kind === 'server' || kind === 'destination' || kind === 'group' || kind === 'user') return []
  const mayCommand =
    kind === 'channel'
      ? role !== null && mayCall(role, changeStreamStatus)
      : mayDo(role, COMMAND_RIGHTS[kind])
  if (command !== null) return mayCommand ? [command] : []
  return [
    ...(mayCommand ? (['turn', 'restart'] as const) : []),
    ...(mayDo(role, ON_AIR_RIGHTS[kind]) ? (['on air'] as const) : []),
    'path',
  ]
}

/** The command as it is meant for what is in this state. */
export function commandFor(
  action: ProgramCommand | 'turn',
  state: ProgramState | null,
): ProgramCommand {
  if (action !== 'turn') return action
  return offersStop(state) ? 'stop' : 'start'
}

/** Why it cannot be done now; null where it can. `right`: what the buttons of a row go by. */
export function reasonAgainst(
  command: ProgramCommand,
  state: ProgramState | null,
  right: CommandRight,
  isBusy: boolean,
): string | null {
  if (isBusy) return COMMAND_UNDER_WAY
  if (right.kind === 'inert') return right.reason
  if (right.kind === 'says') return right.sentence
  // A row offers the other button then.
  if (command === 'start' && offersStop(state)) return ALREADY_RUNNING
  if (command === 'stop' && !offersStop(state)) return NOT_RUNNING
  return null
}
