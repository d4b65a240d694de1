/** What may be done with an encoder now, and how its card reads it; decided from data alone. */
import { configName, type EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  needsAttention,
  sentenceOf,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { decimalText } from '@trunkline/contract/number-text.rules'
import {
  causeOfEncoderReply,
  SILENT_HOST,
  stateOfEncoderReply,
  uptimeFromResults,
  type EncoderStatusReply,
  type ProgramState,
} from '@trunkline/contract/program-state'
import { mayDo } from '@trunkline/contract/role-table'
import type { Role } from '@trunkline/contract/roles'
import {
  DISABLED,
  NOT_YET_CONFIGURED,
  START_FIRST,
  STATE_NOT_KNOWN,
  WAITING,
  WAITS_FOR_HOST,
  WAITS_FOR_RESTART,
} from './encoder.messages.ts'
import {
  type CommandRight,
  inert,
  type ProgramCommand,
  rightByState,
} from '../programs/command/command.rules.ts'
import { answeredStatus, wantedIn } from '../programs/status/polled-status.rules.ts'
import { numberText, clockTimeText } from '../shared/format.ts'
import { ZONE_WORD } from '../lib/locale/time-zone.ts'

export function rightTo(
  command: ProgramCommand,
  encoder: Encoder,
  state: ProgramState | null,
  role: Role | null,
): CommandRight {
  if (!mayDo(role, 'controlEncoder')) return { kind: 'locked' }
  if (encoder.config === null) return { kind: 'says', sentence: NOT_YET_CONFIGURED }
  if (!encoder.isEnabled) return inert(DISABLED)
  return rightByState(command, state, { notRead: STATE_NOT_KNOWN, notRunning: START_FIRST })
}

/** ENC-10: what is switched off, or has nothing to run, is not asked how it is. */
export function isAskedForStatus({ isEnabled, config }: Pick<Encoder, 'isEnabled' | 'config'>) {
  return isEnabled && config !== null
}

/** How an encoder differs from its wanted state, in short and in full. */
export interface Note {
  word: string
  sentence: string
}

type Deviation = Pick<ProgramStatus, 'state' | 'changedByHand' | 'waitsForHost' | 'waitsForRestart'>

/** What stops already takes the saved settings at its next start; a silent host takes no command. */
export function isRestartWanted({ state, waitsForRestart }: Deviation): boolean {
  return waitsForRestart && state !== 'stopping' && state !== 'unreachable'
}

/** The most severe names it, all of them are listed. @returns null where everything is as wanted */
export function noteOf(status: Deviation | null): Note | null {
  if (status === null) return null
  const found: Note[] = []
  if (status.changedByHand !== '') {
    found.push({ word: WAITING.hand, sentence: status.changedByHand })
  }
  if (status.waitsForHost) found.push({ word: WAITING.host, sentence: WAITS_FOR_HOST })
  if (isRestartWanted(status)) found.push({ word: WAITING.restart, sentence: WAITS_FOR_RESTART })
  const [gravest] = found
  if (gravest === undefined) return null
  return { word: gravest.word, sentence: found.map(({ sentence }) => sentence).join(' ') }
}

/** A restart is the fix: it takes the saved settings, and puts right what was changed by hand. */
export function isSolvedByRestart(status: Deviation | null): boolean {
  return status !== null && (isRestartWanted(status) || status.changedByHand !== '')
}

/**
 * The last line that matters, where the cause of the state is not that line already; how slow it is,
 * where that is what is wrong; '' for none.
 */
export function evidenceOf(view: StateView, status: ProgramStatus | null): string {
  if (status === null || !needsAttention(view.family)) return ''
  if (isSlow(status)) return slowText(status)
  // 'host unreachable' has said that already.
  if (status.state === 'unreachable' && status.cause === SILENT_HOST) return ''
  return status.cause === view.cause ? '' : status.cause
}

/** A state in full: what, since when, and the evidence. */
export function fullStateText(view: StateView, status: ProgramStatus | null): string {
  const since = view.sinceMs === null ? '' : `, since ${clockTimeText(view.sinceMs)} ${ZONE_WORD}`
  const evidence = evidenceOf(view, status)
  if (evidence === '') return `${sentenceOf(view)}${since}.`
  const source = status !== null && isSlow(status) ? 'Measured' : 'Last line'
  return `${sentenceOf(view)}${since}. ${source}: ${evidence}`
}

function isSlow({ state, observed }: ProgramStatus): boolean {
  return state === 'running' && observed?.warning === 'slow'
}

function slowText({ reading }: ProgramStatus): string {
  if (reading?.kind !== 'encode') return ''
  const { speed, droppedFrames } = reading
  const dropped = droppedFrames > 0 ? `, ${numberText(droppedFrames)} frames dropped` : ''
  return `speed ${decimalText(speed, 2)}${dropped}`
}

/** Q61: the configuration's own name. */
export function commandName(encoder: Encoder): string {
  const { config } = encoder
  return config === null ? encoder.name : (config.name ?? configName(config['card-idx']))
}

export function muxRateBps(config: EncoderConfig): number {
  return config.muxer['ts-muxrate']
}

/** A polled answer as a status: what it does not say is unknown, so it proves no media. */
export function statusFromReply(
  id: string,
  reply: EncoderStatusReply,
  readAtMs: number,
): ProgramStatus {
  const state = stateOfEncoderReply(reply)
  const evidence = { state, wanted: wantedIn(state), cause: causeOfEncoderReply(reply) }
  return answeredStatus({ kind: 'encoder', id }, evidence, readAtMs)
}

/** DASH-14: the text after 'uptime'; '' when there is none. */
export function uptimeOfReply(reply: EncoderStatusReply): string {
  return uptimeFromResults(reply.results)
}
