/** Which actions the palette lists on an object. Which ones there are is decided by the menus of the rows. */
import { changeStreamStatus } from '@trunkline/contract/channels/channel.calls'
import type { ProgramState } from '@trunkline/contract/program-state'
import { mayDo, type Action } from '@trunkline/contract/role-table'
import { mayCall, type Role } from '@trunkline/contract/roles'
import { foldCase } from '@trunkline/contract/search/fold.rules'
import {
  type CommandRight,
  offersStop,
  type ProgramCommand,
} from '../../programs/command/command.rules.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import type { RowAction } from '../../ui/button/RowButton.tsx'
import {
  ALREADY_DISABLED,
  ALREADY_ENABLED,
  ALREADY_RUNNING,
  COMMAND_UNDER_WAY,
  NOT_RUNNING,
  VERB_WORDS,
} from './palette.messages.ts'
import type { Verb } from './typed.rules.ts'

/** all: of the best match; commands: of the next ones; a verb: what was typed before the object. */
export type Wanted = 'all' | 'commands' | Verb

/** turn: stop what runs, start what does not. */
export type Commanded = ProgramCommand | 'turn'

const COMMAND_RIGHTS = {
  encoder: 'controlEncoder',
  feeder: 'controlFeeder',
  input: 'controlInputs',
  output: 'editOutputs',
} as const satisfies Record<string, Action>

/** None for a role that may command nothing of that kind. */
export function commandsOn(
  kind: keyof typeof COMMAND_RIGHTS | 'channel',
  wanted: Wanted,
  role: Role | null,
): readonly Commanded[] {
  const mayCommand =
    kind === 'channel'
      ? role !== null && mayCall(role, changeStreamStatus)
      : mayDo(role, COMMAND_RIGHTS[kind])
  if (!mayCommand) return []
  if (wanted === 'all' || wanted === 'commands') return ['turn', 'restart']
  return isCommand(wanted) ? [wanted] : []
}

export function isCommand(verb: Wanted): verb is ProgramCommand {
  return verb === 'start' || verb === 'stop' || verb === 'restart'
}

/** The command as it is meant for what is in this state. */
export function commandFor(action: Commanded, state: ProgramState | null): ProgramCommand {
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

/** Of what a row offers, what is listed. What is as it was asked to be says so. */
export function listedOf(
  offered: readonly (MenuAction & Partial<Pick<RowAction, 'disabledReason'>>)[],
  wanted: Wanted,
): readonly RowAction[] {
  const actions = offered.map((action) => {
    const reason = action.disabledReason ?? null
    return { ...action, disabledReason: reason === '' ? COMMAND_UNDER_WAY : reason }
  })
  if (wanted === 'all') return actions
  // The log is what a person wants who looks for what is wrong.
  if (wanted === 'commands') return actions.filter((action) => isNamedBy(action, 'log'))
  const meant = actions.filter((action) => isNamedBy(action, wanted))
  if (meant.length > 0 || (wanted !== 'enable' && wanted !== 'disable')) return meant
  const other = wanted === 'enable' ? 'disable' : 'enable'
  const disabledReason = wanted === 'enable' ? ALREADY_ENABLED : ALREADY_DISABLED
  return actions
    .filter((action) => isNamedBy(action, other))
    .map((action) => ({ ...action, label: VERB_WORDS[wanted], disabledReason }))
}

function isNamedBy({ label, tone }: MenuAction, verb: Verb): boolean {
  // Rows say Remove, Delete or Remove from list; whoever types one of them means any.
  if (verb === 'delete') return tone === 'danger'
  return foldCase(label).startsWith(foldCase(VERB_WORDS[verb]))
}
