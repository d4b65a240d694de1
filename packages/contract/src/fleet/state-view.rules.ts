/**
 * What a screen says about one encoder, feeder, input or output: a shape, a word, a cause. Decided
 * from evidence alone, so that every screen says the same. The worst finding wins.
 */
import type { InputType } from '../contributions/input.schema.ts'
import { isStoppedByIntent } from '../program-state.ts'
import { LIVE_BEAT_MS, type ProgramKind, type ProgramStatus } from './fleet.schema.ts'

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
  /** Share of packets lost for good over the last minute, 0 to 1; null when it is not known. */
  lostShare: number | null
  freshness: Freshness
}

/** A reading older than this many beats says nothing about now. */
const STALE_AFTER_BEATS = 4
export const STALE_AFTER_MS = STALE_AFTER_BEATS * LIVE_BEAT_MS
/** What is asked for and not proven within this time has failed to come. */
export const PROOF_WITHIN_MS = 20_000
/** ffmpeg reports every second or faster. */
const ENCODE_SILENT_MS = 10_000
/** A link may be told to report once a minute only (StatIntervalMs). */
const LINK_SILENT_MS = 120_000
/** Below this share of real time an encoder falls behind its own picture. */
const SLOWEST_SPEED = 0.95
/** One packet in a thousand lost for good shows in the picture. */
export const LOST_SHARE_LIMIT = 0.001

export function viewOfEncoder(input: {
  isEnabled: boolean
  isConfigured: boolean
  status: ProgramStatus | null
  freshness: Freshness
}): StateView {
  return stateView({ ...input, kind: 'encoder', inputType: null, lostShare: null })
}

/** Feeders, inputs and outputs. */
export function viewOfLink(input: {
  kind: 'feeder' | 'input' | 'output'
  isEnabled: boolean
  inputType: InputType | null
  status: ProgramStatus | null
  lostShare: number | null
  freshness: Freshness
}): StateView {
  return stateView({ ...input, isConfigured: true })
}

export function stateView(input: StateInput): StateView {
  if (!input.isEnabled) return plain('off', 'ring-slash', 'Disabled')
  if (!input.isConfigured) return plain('off', 'ring-dashed', 'Not Configured')
  if (input.inputType === 'Local') return plain('off', 'house', 'Local')
  const { freshness, status } = input
  if (isStale(freshness))
    return view('blind', 'diamond-question', 'Unknown', 'stale', freshness.brokenSinceMs)
  if (status === null) {
    return freshness.isLoaded
      ? plain('blind', 'diamond-question', 'Error', 'status not read')
      : plain('move', 'arc', 'Reading')
  }
  return viewOfStatus(input, status)
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
      return view('move', 'arc', 'Stopping', '', sinceMs)
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
      return view('bad', 'octagon', 'Offline', 'not installed', sinceMs)
    case 'unreachable':
      return view('blind', 'diamond-x', 'Offline', 'host unreachable', sinceMs)
    case 'unknown':
      return view('blind', 'diamond-question', 'Error', 'status not read', sinceMs)
  }
}

function viewOfStopped(status: ProgramStatus): StateView {
  return status.wanted === 'running'
    ? view('bad', 'octagon-square', 'Stopped', 'should run', status.sinceMs)
    : view('off', 'square', 'Stopped', '', status.sinceMs)
}

function viewOfStarting(input: StateInput, status: ProgramStatus): StateView {
  return isOverdue(input, status.sinceMs)
    ? view('bad', 'octagon', 'Error', status.cause || 'does not come up', status.sinceMs)
    : view('move', 'arc', 'Starting', '', status.sinceMs)
}

/** Nothing is well on the process's word alone: the other end and the media must speak too. */
function viewOfRunning(input: StateInput, status: ProgramStatus): StateView {
  const since = status.sinceMs
  const finding = findingOf(input, status)
  switch (finding.kind) {
    case 'well':
      return view('ok', 'disc', 'Running', '', since)
    case 'not yet':
      return view('move', 'arc', 'Running', finding.cause, since)
    case 'no peer':
      return view('warn', 'half-disc', 'Running', 'no peer', since)
    case 'no media':
      return view('warn', 'ring', 'Running', 'no media', since)
    case 'media bad':
      return view('warn', 'triangle', 'Running', finding.cause, since)
  }
}

type Finding =
  { kind: 'well' | 'no peer' | 'no media' } | { kind: 'not yet' | 'media bad'; cause: string }

function findingOf(input: StateInput, status: ProgramStatus): Finding {
  return status.kind === 'encoder' ? findingOfEncoder(input, status) : findingOfLink(input, status)
}

function findingOfEncoder(input: StateInput, status: ProgramStatus): Finding {
  const reading = freshReading(input, status, ENCODE_SILENT_MS)
  if (reading === null) {
    return isOverdue(input, status.startedAtMs ?? status.sinceMs)
      ? { kind: 'no media' }
      : { kind: 'not yet', cause: 'waiting for media' }
  }
  if (reading.bitrateKbps <= 0) return { kind: 'no media' }
  if (reading.kind === 'encode' && reading.speed > 0 && reading.speed < SLOWEST_SPEED) {
    return { kind: 'media bad', cause: 'slower than real time' }
  }
  return { kind: 'well' }
}

function findingOfLink(input: StateInput, status: ProgramStatus): Finding {
  const reading = freshReading(input, status, LINK_SILENT_MS)
  const isMoving = reading !== null && reading.bitrateKbps > 0
  if (status.peer === 'disconnected') return { kind: 'no peer' }
  if (status.peer === '' && !isMoving) {
    return isOverdue(input, status.startedAtMs ?? status.sinceMs)
      ? { kind: 'no peer' }
      : { kind: 'not yet', cause: 'connecting' }
  }
  if (!isMoving) {
    return reading === null && !isOverdue(input, status.startedAtMs ?? status.sinceMs)
      ? { kind: 'not yet', cause: 'waiting for media' }
      : { kind: 'no media' }
  }
  if (input.lostShare !== null && input.lostShare > LOST_SHARE_LIMIT) {
    return { kind: 'media bad', cause: 'losing packets' }
  }
  if (reading?.kind === 'link' && reading.paths?.some((path) => path.silentSinceMs !== null)) {
    return { kind: 'media bad', cause: 'one path silent' }
  }
  return { kind: 'well' }
}

/**
 * The last reading, unless it is too old to speak of now. While updates are missing the age of a
 * reading says nothing about the program: the last picture holds until it is stale as a whole.
 */
function freshReading(input: StateInput, status: ProgramStatus, silentMs: number) {
  const { reading } = status
  const { brokenSinceMs, nowMs } = input.freshness
  if (reading === null) return null
  return (brokenSinceMs ?? nowMs) - reading.atMs > silentMs ? null : reading
}

function isOverdue(input: StateInput, sinceMs: number): boolean {
  return (input.freshness.brokenSinceMs ?? input.freshness.nowMs) - sinceMs > PROOF_WITHIN_MS
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
  const isProven = whole.word === 'Running'
  const text = isProven ? `Running${status?.pid ? `, pid ${status.pid}` : ''}` : sentenceOf(whole)
  const { family, shape } = isProven ? { family: 'ok' as const, shape: 'disc' as const } : whole
  return { name: 'Process', family, shape, text }
}

function mediaTruth(whole: StateView, status: ProgramStatus | null): Truth {
  if (whole.family === 'blind') {
    return { name: 'Media', family: 'blind', shape: 'diamond-question', text: 'Not read' }
  }
  if (whole.word !== 'Running') {
    return { name: 'Media', family: 'off', shape: 'ring-dashed', text: 'Nothing to read' }
  }
  const bitrate = status?.reading?.bitrateKbps
  const moving = bitrate === undefined ? 'Moving' : `${Math.round(bitrate)} kbps`
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

/** How many states need somebody, by family. */
export interface Tally {
  bad: number
  blind: number
  warn: number
}

export function needsAttention(family: Family): boolean {
  return family === 'bad' || family === 'blind' || family === 'warn'
}

export function tallyOf(families: Iterable<Family>): Tally {
  const tally: Tally = { bad: 0, blind: 0, warn: 0 }
  for (const family of families) {
    if (family === 'bad' || family === 'blind' || family === 'warn') tally[family] += 1
  }
  return tally
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
