/** What may be done with a feeder now, and what is wrong with it; decided from data alone. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  causeOfEncoderReply,
  stateOfFeederReply,
  type EncoderStatusReply,
  type ProgramState,
} from '@trunkline/contract/program-state'
import { mayDo } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import { LINK_REASONS } from '../../programs/command/command.messages.ts'
import {
  type CommandRight,
  inert,
  offersStop,
  type ProgramCommand,
  rightByState,
} from '../../programs/command/command.rules.ts'
import { answeredStatus, wantedIn } from '../../programs/status/polled-status.rules.ts'
import { ENCODER_DISABLED, nobodyThere, notFed, nothingComes, TROUBLE } from './feeder.messages.ts'

/** FEED-06; a monitor is refused (ROLE-11 Q). */
export function rightTo(
  command: ProgramCommand,
  encoder: Pick<Encoder, 'isEnabled'>,
  state: ProgramState | null,
  role: Role | null,
): CommandRight {
  if (!mayDo(role, 'controlFeeder')) return { kind: 'locked' }
  if (!encoder.isEnabled) return inert(ENCODER_DISABLED)
  return rightByState(command, state, LINK_REASONS)
}

/** 'HOST:PORT' of the target; there is exactly one. */
export function targetOf({ output }: Pick<Feeder, 'output'>): string {
  return output[0]?.addr ?? ''
}

/** What it reads: its multicast group when it names one, else the address. */
export function sourceOf({ input }: Pick<Feeder, 'input'>): string {
  return input.multicast === '' ? input.addr : `${input.multicast}:${input.port}`
}

/** FEED-05, Q93: a polled answer as a status; `null` reply: the poll failed, nothing is known. */
export function statusFromReply(
  name: string,
  reply: EncoderStatusReply | null,
  readAtMs: number,
): ProgramStatus {
  const state = reply === null ? 'unknown' : stateOfFeederReply(reply)
  const cause = reply === null ? '' : causeOfEncoderReply(reply)
  const evidence = { state, wanted: wantedIn(state), cause }
  return answeredStatus({ kind: 'feeder', id: name }, evidence, readAtMs)
}

export interface FeederTrouble {
  title: string
  fix: string
  /** What a button beside it offers. */
  offer: 'restart-encoder' | 'restart-feeder' | 'edit' | null
}

interface TroubleInput {
  feeder: Feeder
  /** Of the server that it goes to; 'the server' where its title is not known. */
  serverTitle: string
  status: ProgramStatus | null
  /** Of the encoder that it reads from. */
  encoder: ProgramStatus | null
}

/** The one thing to mend first; null when nothing is known to be wrong. */
export function troubleOf(input: TroubleInput): FeederTrouble | null {
  const { status } = input
  if (status === null || status.state === 'unreachable') return null
  if (status.waitsForHost) return { ...TROUBLE.host, offer: null }
  if (status.changedByHand !== '') {
    return { title: status.changedByHand, fix: TROUBLE.byHandFix, offer: 'restart-feeder' }
  }
  return (
    troubleBefore(input, status) ?? (offersStop(status.state) ? troubleOfLink(input, status) : null)
  )
}

/** Nothing comes to it: the encoder is off, or does not know this feeder (decisions.md 11). */
function troubleBefore(
  { feeder, encoder }: TroubleInput,
  status: ProgramStatus,
): FeederTrouble | null {
  if (encoder === null || isMoving(status)) return null
  if (offersStop(encoder.state)) {
    if (!encoder.waitsForRestart) return null
    return { ...notFed(feeder.input.port), offer: 'restart-encoder' }
  }
  const isSeen = encoder.state !== 'unreachable' && encoder.state !== 'unknown'
  return isSeen && offersStop(status.state) ? { ...TROUBLE.encoderStopped, offer: null } : null
}

/** In either language of the console. */
const NAMES_KEY = /passphrase|password|phrases? secrète|mots? de passe/i

function troubleOfLink(
  { feeder, serverTitle }: TroubleInput,
  status: ProgramStatus,
): FeederTrouble | null {
  if (NAMES_KEY.test(status.cause)) return { ...TROUBLE.passphrase, offer: 'edit' }
  if (status.waitsForRestart) return { ...TROUBLE.older, offer: 'restart-feeder' }
  const neverCame = status.peer === '' && status.observed?.media === 'waiting'
  if (status.peer === 'disconnected' || neverCame) {
    const port = feeder.output[0]?.port ?? 0
    return { ...nobodyThere(targetOf(feeder), port, serverTitle), offer: null }
  }
  const isSilent = status.reading !== null && !isMoving(status)
  if (status.peer === 'connected' && isSilent) {
    return { ...nothingComes(feeder.input.port), offer: null }
  }
  return null
}

function isMoving({ reading }: ProgramStatus): boolean {
  return reading !== null && reading.bitrateKbps > 0
}
