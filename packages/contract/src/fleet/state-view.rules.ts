/**
 * What a screen says about one encoder, feeder, input or output: a shape, a word, a cause. Decided
 * from evidence alone, so that every screen says the same. The worst finding wins.
 */
import type { InputType } from '../contributions/input.schema.ts'
import { wholeText } from '../number-text.rules.ts'
import {
  CHANNEL_OFF,
  HOST_NOT_HEARD,
  INPUT_OFF,
  isOffOnPurpose,
  isStoppedByIntent,
  PAUSED,
} from '../program-state.ts'
import type { ProgramKind, ProgramStatus } from './fleet.schema.ts'
import type { MediaWarning, Observed } from './observed.schema.ts'
import { CAUSES, STATE_WORDS } from './state-words.ts'

/** Worst first: the order in which lists and tallies count. */
export const FAMILIES = ['bad', 'blind', 'warn', 'move', 'off', 'ok'] as const
export type Family = (typeof FAMILIES)[number]

export const SHAPES = [
  'disc',
  'half-disc',
  'ring',
  'triangle',
  'octagon',
  'octagon-square',
  'diamond-x',
  'diamond-question',
  'square',
  'ring-slash',
  'ring-dashed',
  'arc',
  'house',
] as const
export type Shape = (typeof SHAPES)[number]

export interface StateView {
  family: Family
  shape: Shape
  /** The specification's word; never changed by the cause. */
  word: string
  /** Ours, in plain words; '' when the word says it all. */
  cause: string
  /** When this state began, API clock; null when it has no beginning worth showing. */
  sinceMs: number | null
}

/** How far a reader may trust what it holds. Times are the API's clock. */
export interface Freshness {
  nowMs: number
  /** False until the first picture of the fleet has come. */
  isLoaded: boolean
  /** When the stream of updates broke; null while it is whole. */
  brokenSinceMs: number | null
}

export interface StateInput {
  kind: ProgramKind
  isEnabled: boolean
  /** An encoder without a configuration is not configured; everything else is. */
  isConfigured: boolean
  /** Only inputs can be Local; null for everything else. */
  inputType: InputType | null
  status: ProgramStatus | null
  freshness: Freshness
}

/** A reading older than four polls of 5 s says nothing about now. */
export const STALE_AFTER_MS = 20_000
/** What is asked for and not proven within this time has failed to come. */
export const PROOF_WITHIN_MS = 20_000

export function viewOfEncoder(input: {
  isEnabled: boolean
  isConfigured: boolean
  status: ProgramStatus | null
  freshness: Freshness
}): StateView {
  return stateView({ ...input, kind: 'encoder', inputType: null })
}

/** Feeders, inputs and outputs. */
export function viewOfLink(input: {
  kind: 'feeder' | 'input' | 'output'
  isEnabled: boolean
  inputType: InputType | null
  status: ProgramStatus | null
  freshness: Freshness
}): StateView {
  return stateView({ ...input, isConfigured: true })
}

export function stateView(input: StateInput): StateView {
  if (!input.isEnabled) {
    // Its host is away, and has not been asked to end it yet.
    const cause = input.status?.waitsForHost === true ? CAUSES.mayRun : ''
    return plain('off', 'ring-slash', STATE_WORDS.disabled, cause)
  }
  if (!input.isConfigured) return plain('off', 'ring-dashed', STATE_WORDS.notConfigured)
  if (input.inputType === 'Local') return plain('off', 'house', 'Local')
  const { freshness, status } = input
  if (isStale(freshness))
    return view('blind', 'diamond-question', STATE_WORDS.unknown, 'stale', freshness.brokenSinceMs)
  if (status === null) {
    return freshness.isLoaded
      ? plain('blind', 'diamond-question', 'Error', CAUSES.notRead)
      : plain('move', 'arc', STATE_WORDS.reading)
  }
  const found = viewOfStatus(input, status)
  // Its words and age stay.
  return isOffOnPurpose(status) && needsAttention(found.family)
    ? { ...found, family: 'off' }
    : found
}

/** True once updates have been missing for so long that every state is a guess. */
export function isStale(freshness: Freshness): boolean {
  const { brokenSinceMs, nowMs } = freshness
  return brokenSinceMs !== null && nowMs - brokenSinceMs > STALE_AFTER_MS
}

function viewOfStatus(input: StateInput, status: ProgramStatus): StateView {
  const { state, sinceMs, cause } = status
  switch (state) {
    case 'running':
      return viewOfRunning(input, status)
    case 'starting':
      return viewOfStarting(input, status)
    case 'stopping':
      return view('move', 'arc', STATE_WORDS.stopping, '', sinceMs)
    case 'stopped':
      return viewOfStopped(status)
    case 'exited':
      return isStoppedByIntent(status) || status.kind === 'encoder'
        ? viewOfStopped(status)
        : view('bad', 'octagon', 'Error', cause || 'ended by itself', sinceMs)
    case 'backoff':
      return view('bad', 'octagon', 'Error', cause || 'ends as soon as it starts', sinceMs)
    case 'fatal':
      return view('bad', 'octagon', 'Error', cause || 'cannot be started', sinceMs)
    case 'absent':
      return view('bad', 'octagon', STATE_WORDS.offline, CAUSES.notInstalled, sinceMs)
    case 'unreachable':
      return view('blind', 'diamond-x', STATE_WORDS.offline, CAUSES.unreachable, sinceMs)
    case 'unknown':
      return cause === HOST_NOT_HEARD
        ? view('blind', 'diamond-question', STATE_WORDS.offline, CAUSES.notHeard, sinceMs)
        : view('blind', 'diamond-question', 'Error', CAUSES.notRead, sinceMs)
  }
}

function viewOfStopped(status: ProgramStatus): StateView {
  return status.wanted === 'running'
    ? view('bad', 'octagon-square', STATE_WORDS.stopped, 'should run', status.sinceMs)
    : view('off', 'square', STATE_WORDS.stopped, '', status.sinceMs)
}

function viewOfStarting(input: StateInput, status: ProgramStatus): StateView {
  return isOverdue(input, status.sinceMs)
    ? view('bad', 'octagon', 'Error', status.cause || 'does not come up', status.sinceMs)
    : view('move', 'arc', STATE_WORDS.starting, '', status.sinceMs)
}

/** Nothing is well on the process's word alone: the other end and the media must speak too. */
function viewOfRunning(input: StateInput, status: ProgramStatus): StateView {
  const seen = observedOf(status)
  if (status.cause === PAUSED) {
    const sinceMs = Math.max(seen.peerSinceMs, seen.mediaSinceMs)
    return view('bad', 'octagon', 'Error', CAUSES.paused, sinceMs)
  }
  const finding =
    status.kind === 'encoder'
      ? findingOfMedia(input, seen)
      : (findingOfPeer(input, status, seen) ?? findingOfMedia(input, seen))
  return finding ?? view('ok', 'disc', STATE_WORDS.running, '', wellSinceMs(status, seen))
}

/** What the host observed. For a host that does not report it, the last reading counts. */
function observedOf({ observed, reading, sinceMs, startedAtMs }: ProgramStatus): Observed {
  if (observed !== null) return observed
  const isMoving = reading !== null && reading.bitrateKbps > 0
  const media = isMoving ? 'moving' : reading === null ? 'waiting' : 'silent'
  const beganMs = startedAtMs ?? sinceMs ?? 0
  return {
    peerSinceMs: beganMs,
    peerFacts: null,
    media,
    mediaSinceMs: beganMs,
    warning: '',
    warningSinceMs: beganMs,
  }
}

/** All is well since the last of it became so. */
function wellSinceMs({ sinceMs }: ProgramStatus, seen: Observed): number {
  return Math.max(sinceMs ?? 0, seen.peerSinceMs, seen.mediaSinceMs, seen.warningSinceMs)
}

/** Null when nothing is wrong with the far end. */
function findingOfPeer(
  input: StateInput,
  status: ProgramStatus,
  { peerSinceMs, media }: Observed,
): StateView | null {
  const { peer, cause } = status
  if (hasWrongKeys(status)) {
    return view('warn', 'half-disc', STATE_WORDS.running, shortReason(cause), peerSinceMs)
  }
  if (!lacksPeer(status, media)) return null
  const receiverOff = RECEIVERS_OFF[cause]
  if (receiverOff !== undefined) {
    return view('off', 'half-disc', STATE_WORDS.running, receiverOff, peerSinceMs)
  }
  const reason = shortReason(cause)
  if (peer === 'disconnected') {
    return view('warn', 'half-disc', STATE_WORDS.running, reason || 'no peer', peerSinceMs)
  }
  if (reason !== '') return view('warn', 'half-disc', STATE_WORDS.running, reason, peerSinceMs)
  return isOverdue(input, peerSinceMs)
    ? view('warn', 'half-disc', STATE_WORDS.running, 'no peer yet', peerSinceMs)
    : view('move', 'arc', STATE_WORDS.running, CAUSES.connecting, peerSinceMs)
}

/**
 * Of a link that nothing is heard of its peer, moving media are the proof of it; not of a RIST sender,
 * which sends whether anybody answers or not, and knows who does.
 */
export function lacksPeer({ peer, reading }: ProgramStatus, media: Observed['media']): boolean {
  if (peer !== '' || media !== 'moving') return peer !== 'connected'
  return reading?.kind === 'link' && reading.protocol === 'rist' && reading.direction === 'send'
}

/** What the API says of a sender whose receiver is off, short enough for a row. */
const RECEIVERS_OFF: Readonly<Record<string, string>> = {
  [CHANNEL_OFF]: CAUSES.channelOff,
  [INPUT_OFF]: CAUSES.inputOff,
}

/**
 * Words of the sentences of a host, each a text of its own: a console in another language gets these
 * sentences, and has these words, in that language.
 */
const REASONS: readonly (readonly [words: string, reason: string])[] = [
  ['different passphrases', CAUSES.wrongPassphrase],
  // Before the words for what is so now.
  ['had different secrets', CAUSES.wrongSecretBefore],
  ['different secrets', CAUSES.wrongSecret],
  ['One end encrypts', CAUSES.oneEndClear],
  ['far end rejects', CAUSES.rejected],
  ['ends do not match', CAUSES.settingsDiffer],
  [CAUSES.refused, CAUSES.refused],
  // As the tools print it.
  ['Connection refused', CAUSES.refused],
  ['host name of the far end cannot be resolved', CAUSES.unknownName],
]

/** A cause that the host knows, short enough for a row; '' where it does not say why. */
export function shortReason(cause: string): string {
  return REASONS.find(([words]) => cause.includes(words))?.[1] ?? ''
}

/** A peer is there, and cannot decrypt what it gets: SRT ends may be told not to insist on encryption. */
export function hasWrongKeys({ peer, cause }: Pick<ProgramStatus, 'peer' | 'cause'>): boolean {
  if (peer !== 'connected' || cause === '') return false
  const reason = shortReason(cause)
  return reason === CAUSES.wrongPassphrase || reason === CAUSES.oneEndClear
}

const WARNINGS: Readonly<Record<Exclude<MediaWarning, ''>, string>> = {
  slow: CAUSES.slow,
  black: 'black picture',
  frozen: 'frozen picture',
  losing: CAUSES.losing,
  'path-silent': CAUSES.pathSilent,
  silent: 'silent audio',
}

/** Null when nothing is wrong with the media. */
function findingOfMedia(
  input: StateInput,
  { media, mediaSinceMs, peerSinceMs, warning, warningSinceMs }: Observed,
): StateView | null {
  // A peer that has just come had no time to send any.
  const waitsSinceMs = Math.max(mediaSinceMs, peerSinceMs)
  if (media === 'waiting' && !isOverdue(input, waitsSinceMs)) {
    return view('move', 'arc', STATE_WORDS.running, 'waiting for media', waitsSinceMs)
  }
  if (media !== 'moving')
    return view('warn', 'ring', STATE_WORDS.running, CAUSES.noMedia, mediaSinceMs)
  if (warning === '') return null
  return view('warn', 'triangle', STATE_WORDS.running, WARNINGS[warning], warningSinceMs)
}

function isOverdue(input: StateInput, sinceMs: number | null): boolean {
  if (sinceMs === null) return false
  return (input.freshness.brokenSinceMs ?? input.freshness.nowMs) - sinceMs > PROOF_WITHIN_MS
}

/**
 * From when on this view is another one although nothing was heard: what is asked for and not proven
 * has failed to come by then. Null: time alone does not change it.
 */
export function overdueAtMs({ family, word, sinceMs }: StateView): number | null {
  if (family !== 'move' || word === STATE_WORDS.stopping || sinceMs === null) return null
  return sinceMs + PROOF_WITHIN_MS + 1
}

export type Truth = { name: string; family: Family; shape: Shape; text: string }

/** The evidence behind an encoder's state, as far as it is known: its process and its media. */
export function truthsOfEncoder(input: {
  isEnabled: boolean
  isConfigured: boolean
  status: ProgramStatus | null
  freshness: Freshness
}): readonly Truth[] {
  const whole = viewOfEncoder(input)
  const process = processTruth(whole, input.status)
  return [process, mediaTruth(whole, input.status)]
}

function processTruth(whole: StateView, status: ProgramStatus | null): Truth {
  const isProven = whole.word === STATE_WORDS.running
  const text = isProven ? `Running${status?.pid ? `, pid ${status.pid}` : ''}` : sentenceOf(whole)
  const { family, shape } = isProven ? { family: 'ok' as const, shape: 'disc' as const } : whole
  return { name: 'Process', family, shape, text }
}

function mediaTruth(whole: StateView, status: ProgramStatus | null): Truth {
  if (whole.family === 'blind') {
    return { name: 'Media', family: 'blind', shape: 'diamond-question', text: 'Not read' }
  }
  if (whole.word !== STATE_WORDS.running) {
    return { name: 'Media', family: 'off', shape: 'ring-dashed', text: 'Nothing to read' }
  }
  const bitrate = status?.reading?.bitrateKbps
  const moving = bitrate === undefined ? 'Moving' : `${wholeText(bitrate)} kbit/s`
  return {
    name: 'Media',
    family: whole.family,
    shape: whole.shape,
    text: whole.cause === '' ? moving : whole.cause,
  }
}

/** 'Stopped, should run': the word and its cause as one phrase. */
export function sentenceOf(state: Pick<StateView, 'word' | 'cause'>): string {
  return state.cause === '' ? state.word : `${state.word}, ${state.cause}`
}

export function needsAttention(family: Family): boolean {
  return family === 'bad' || family === 'blind' || family === 'warn'
}

function plain(family: Family, shape: Shape, word: string, cause = ''): StateView {
  return { family, shape, word, cause, sinceMs: null }
}

function view(
  family: Family,
  shape: Shape,
  word: string,
  cause: string,
  sinceMs: number | null,
): StateView {
  return { family, shape, word, cause, sinceMs }
}
