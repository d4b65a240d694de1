/** Inputs and outputs as rows: what may be done with them now. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Encryption } from '@trunkline/contract/contributions/link.schema'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  contributionChip,
  type ContributionStatusReply,
  stateOfContributionReply,
  type ProgramState,
} from '@trunkline/contract/program-state'
import { HOST_DOES_NOT_ANSWER, LINK_REASONS } from '../programs/command/command.messages.ts'
import {
  type CommandRight,
  inert,
  MAY,
  offersStop,
  type ProgramCommand,
} from '../programs/command/command.rules.ts'
import { answeredStatus } from '../programs/status/polled-status.rules.ts'
import { INERT } from './contribution.messages.ts'

export type LinkKind = 'input' | 'output'

/** What both kinds have in common, as far as a row needs it. */
export interface Link {
  kind: LinkKind
  id: string
  /** What the status call of an output goes by. */
  name: string
  /** The input an output belongs to; an input's own id. */
  inputId: string
  title: string
  type: Input['inputType']
  isEnabled: boolean
  encryption: Encryption
  /** Q171: which lines its log shows at first; 3 is all. Only a RIST input has a level of its own. */
  logLevel: 1 | 2 | 3
  config: Input['config'] | Output['config']
  /** Whom an output calls; '' for one that is called, and for an input. */
  host: string
  /** Where it listens, or calls. */
  port: number
  /** Of the host that carries it, and of the input's group: where its form is (paths.ts). */
  serverId: string
  groupId: string
  /** Outputs that hang behind an input; 0 for an output. */
  outputs: number
}

/** As far as an action of several needs a link: of one whose row was not read no more is known. */
export interface BulkItem extends Pick<
  Link,
  'kind' | 'id' | 'name' | 'title' | 'type' | 'isEnabled' | 'outputs'
> {
  /** False of one that was selected by a filter: its title is not known. */
  isRead: boolean
  /** As it was when all that match were asked for; null where they were not. */
  matchedState: ProgramState | null
}

export function linkOf(item: Input | Output): Link {
  const { id, name, title, inputType: type, isEnabled, encryption, config } = item
  const common = { id, name, title, type, isEnabled, encryption, config, port: Number(config.port) }
  if ('outputIds' in item) {
    return {
      ...common,
      kind: 'input',
      host: '',
      logLevel: item.inputType === 'RIST' ? item.config.logLevel : 3,
      inputId: id,
      serverId: item.serverId,
      groupId: item.groupId,
      outputs: item.outputIds.length,
    }
  }
  return {
    ...common,
    kind: 'output',
    host: config.mode === 'Push' ? config.host : '',
    logLevel: 3,
    inputId: item.contributionId,
    serverId: item.contributionInfo.serverId,
    groupId: '',
    outputs: 0,
  }
}

/** CON-IN-23, Q136: while it runs Stop and Restart work; Start works for Stopped, Error and Offline. */
export function rightTo(
  command: ProgramCommand,
  link: Pick<Link, 'type' | 'isEnabled'>,
  state: ProgramState | null,
): CommandRight {
  if (!link.isEnabled) return inert(INERT.disabled)
  if (link.type === 'Local') return inert(INERT.local)
  if (state === null) return inert(LINK_REASONS.notRead)
  if (command === 'restart' && !offersStop(state)) {
    return inert(state === 'unreachable' ? HOST_DOES_NOT_ANSWER : LINK_REASONS.notRunning)
  }
  return MAY
}

/** A polled answer as a status. `null` reply: the poll failed. */
export function statusFromReply(
  { kind, id }: Link,
  reply: ContributionStatusReply | null,
  readAtMs: number,
): ProgramStatus {
  const state = reply === null ? 'unknown' : stateOfContributionReply(reply)
  const wanted = isStoppedByReply(reply) ? 'stopped' : 'running'
  const cause = reply?.error ?? ''
  return answeredStatus({ kind, id }, { state, wanted, cause }, readAtMs)
}

/** CON-IN-13: a program that ended unasked has an error text of its own. */
function isStoppedByReply(reply: ContributionStatusReply | null): boolean {
  const chip = contributionChip(reply)
  return chip === 'Stopped' || chip === 'Disabled'
}
