/** What a hop of a signal path says: its state, its four facts, and what kind of trouble it has. */
import { sourcesOf } from '../channels/channel.rules.ts'
import { viewOfPush } from '../channels/push-view.rules.ts'
import type { StreamDetail, StreamPush } from '../channels/stream.schema.ts'
import { viewOfStream, type StreamReading } from '../channels/stream-view.rules.ts'
import type { HostAnswer } from '../fleet/first-answer.rules.ts'
import type { ProgramStatus } from '../fleet/fleet.schema.ts'
import type { MediaWarning } from '../fleet/observed.schema.ts'
import {
  needsAttention,
  stateView,
  type Freshness,
  type StateView,
} from '../fleet/state-view.rules.ts'
import { CAUSES, STATE_WORDS } from '../fleet/state-words.ts'
import { decimalText, wholeText } from '../number-text.rules.ts'
import type { HopFact, ShownHop } from './path.schema.ts'

export type HopSettings = Pick<
  ShownHop,
  'kind' | 'id' | 'isEnabled' | 'isConfigured' | 'inputType' | 'link'
>

/** What is known of the hop now. */
export interface HopEvidence {
  /** Of an encoder, feeder, input or output. */
  status: ProgramStatus | null
  /** Of a channel, and of its push outputs. */
  reading: StreamReading
  readAtMs: number | null
  /** The media server of a channel and its push outputs. */
  server: HostAnswer | null
  freshness: Freshness
}

export function stateOfHop(hop: HopSettings, evidence: HopEvidence): StateView {
  const { status, freshness } = evidence
  if (hop.kind === 'destination') return NOT_MONITORED
  if (hop.kind === 'channel') return viewOfStream(evidence.reading, freshness, evidence.server)
  if (hop.kind === 'push') return stateOfPush(hop, evidence)
  const { kind, isEnabled, isConfigured, inputType } = hop
  return stateView({ kind, isEnabled, isConfigured, inputType, status, freshness })
}

/** Nothing of ours runs at a destination: whether the stream arrives is the output's to say. */
const NOT_MONITORED: StateView = {
  family: 'off',
  shape: 'ring-dashed',
  word: 'Not monitored',
  cause: '',
  sinceMs: null,
}

/**
 * process: it does not run, or nobody can tell; link: it runs without its peer; media: what it
 * carries is missing or faulty.
 */
export type TroubleLevel = 'process' | 'link' | 'media'

/**
 * itself: its process is coming or going; peer: its far end is not there yet; media: the far end is,
 * and no media have come. Each for a limited time, after which it is trouble.
 */
export type Unsettled = 'itself' | 'peer' | 'media'

/** Null of a hop that is not between two states, and of one of which nothing was read yet. */
export function unsettledOf({ family, word, cause }: StateView): Unsettled | null {
  if (family !== 'move' || word === STATE_WORDS.reading) return null
  if (word !== STATE_WORDS.running) return 'itself'
  return cause === CAUSES.connecting ? 'peer' : 'media'
}

/** Words of a push output whose far end does not take the stream, or not all of it. */
const OWN_PUSH_TROUBLES: ReadonlySet<string> = new Set([STATE_WORDS.running, 'Connecting', 'Error'])

/** Null of a hop that needs nobody. */
export function troubleOfHop(view: StateView, kind: HopSettings['kind']): TroubleLevel | null {
  const { family, shape, word, cause } = view
  if (!needsAttention(family)) return null
  // The server of a channel answers, and has the stream.
  if (kind === 'channel' && cause === CAUSES.receiverDown) return 'process'
  if (kind === 'channel')
    return word === STATE_WORDS.online || cause === CAUSES.noMedia ? 'media' : 'process'
  if (kind === 'push')
    return OWN_PUSH_TROUBLES.has(word) && cause !== CAUSES.noMedia ? 'link' : 'media'
  if (word !== STATE_WORDS.running) return 'process'
  return shape === 'half-disc' ? 'link' : 'media'
}

export function factsOfHop(hop: HopSettings, evidence: HopEvidence): HopFact[] {
  const view = stateOfHop(hop, evidence)
  if (hop.kind === 'destination') return []
  if (hop.kind === 'channel') return factsOfChannel(view, evidence)
  if (hop.kind === 'push') return [pushFact(hop, view, evidence)]
  const { status } = evidence
  const readAtMs = status?.readAtMs ?? null
  const isRunning = view.word === STATE_WORDS.running
  const process: HopFact = {
    name: 'process',
    ...(isRunning ? WELL : pick(view)),
    text: isRunning ? STATE_WORDS.running : textOf(view),
    sinceMs: isRunning ? (status?.startedAtMs ?? null) : view.sinceMs,
    readAtMs,
  }
  if (!isRunning || status === null) return [process]
  const link = hop.kind === 'encoder' ? [] : [linkFact(view, status, readAtMs)]
  return [process, ...link, mediaFact(view, status, readAtMs), ...answerFact(hop, view, status)]
}

const WELL = { family: 'ok', shape: 'disc' } as const

function pick({ family, shape }: StateView) {
  return { family, shape }
}

function textOf({ word, cause }: StateView): string {
  return cause === '' ? word : `${word}, ${cause}`
}

function linkFact(view: StateView, status: ProgramStatus, readAtMs: number | null): HopFact {
  const { observed, peer } = status
  const sinceMs = observed?.peerSinceMs ?? null
  if (peer !== 'connected' && (view.shape === 'half-disc' || view.cause === CAUSES.connecting)) {
    return { name: 'link', ...pick(view), text: capital(view.cause), sinceMs, readAtMs }
  }
  const address = observed?.peerFacts?.address ?? ''
  const text = address === '' ? 'Connected' : `Connected to ${address}`
  if (view.shape !== 'triangle') return { name: 'link', ...WELL, text, sinceMs, readAtMs }
  const warningSinceMs = observed?.warningSinceMs ?? null
  const isLink = !isOfMedia(observed?.warning)
  return isLink
    ? { name: 'link', ...pick(view), text: capital(view.cause), sinceMs: warningSinceMs, readAtMs }
    : { name: 'link', ...WELL, text, sinceMs, readAtMs }
}

/** Other warnings are of the way to the far end. */
function isOfMedia(warning: MediaWarning | undefined): boolean {
  return ['slow', 'black', 'frozen', 'silent'].includes(warning ?? '')
}

function mediaFact(view: StateView, status: ProgramStatus, readAtMs: number | null): HopFact {
  const { observed, reading } = status
  const sinceMs = observed?.mediaSinceMs ?? null
  const media =
    observed?.media ?? (reading !== null && reading.bitrateKbps > 0 ? 'moving' : 'waiting')
  const base = { name: 'media', sinceMs, readAtMs: reading?.atMs ?? readAtMs } as const
  if (media === 'moving') {
    const rate = reading === null ? 'Moving' : `${wholeText(reading.bitrateKbps)} kbit/s`
    return isOfMedia(observed?.warning)
      ? { ...base, ...pick(view), text: `${rate}, ${view.cause}` }
      : { ...base, ...WELL, text: rate }
  }
  if (view.family === 'move') return { ...base, ...pick(view), text: 'Waiting for media' }
  const look = view.family === 'off' ? pick(view) : ({ family: 'warn', shape: 'ring' } as const)
  return { ...base, ...look, text: 'No media' }
}

/**
 * Of a sender: its far end confirms what it gets, and the round trip is measured by that. Left out
 * while nothing is sent, since then nothing is confirmed.
 */
function answerFact({ kind }: HopSettings, view: StateView, status: ProgramStatus): HopFact[] {
  const { observed, peer, reading } = status
  const isSender = kind === 'feeder' || kind === 'output'
  if (!isSender || peer !== 'connected' || reading?.kind !== 'link') return []
  if (reading.rttMs === null || reading.bitrateKbps === 0) return []
  const base = { name: 'delivery', readAtMs: reading.atMs } as const
  const confirmed = `Far end confirms, RTT ${roundTripText(reading.rttMs)}`
  return observed?.warning === 'losing'
    ? [{ ...base, ...pick(view), text: 'Not all arrives', sinceMs: observed.warningSinceMs }]
    : [{ ...base, ...WELL, text: confirmed, sinceMs: observed?.peerSinceMs ?? null }]
}

function roundTripText(rttMs: number): string {
  return rttMs < 10 ? `${decimalText(rttMs, 1)} ms` : `${wholeText(rttMs)} ms`
}

function factsOfChannel(view: StateView, { reading, readAtMs, server }: HopEvidence): HopFact[] {
  const base = { readAtMs, sinceMs: null }
  if (typeof reading === 'string' || view.family === 'off' || view.word === STATE_WORDS.unknown) {
    return [{ ...base, name: 'process', ...pick(view), text: textOf(view), sinceMs: view.sinceMs }]
  }
  const sinceMs = server?.sinceMs ?? null
  return [
    { ...base, name: 'process', ...WELL, text: 'Media server answers', sinceMs },
    sourceFact(reading, view, base),
    { ...base, name: 'media', ...pick(view), text: textOf(view), sinceMs: view.sinceMs },
    ...deliveryFact(reading, base),
  ]
}

type FactBase = Pick<HopFact, 'readAtMs' | 'sinceMs'>

function sourceFact(stream: StreamDetail, view: StateView, base: FactBase): HopFact {
  const { current, standby } = sourcesOf(stream)
  const source = current ?? standby[0]
  const error = source?.stats?.error ?? ''
  if (source === undefined) {
    return { ...base, name: 'link', family: 'bad', shape: 'octagon', text: 'No source' }
  }
  const sinceMs = source.stats?.active_since ?? source.stats?.since ?? null
  return error === ''
    ? { ...base, name: 'link', ...WELL, text: 'Source connected', sinceMs }
    : { ...base, name: 'link', ...sourceLook(view), text: error, sinceMs }
}

/** One that has just begun to wait for its first picture has lost nothing. */
function sourceLook(view: StateView): Pick<HopFact, 'family' | 'shape'> {
  return view.family === 'move' ? pick(view) : { family: 'bad', shape: 'octagon' }
}

/** Of its push outputs that are switched on. */
function deliveryFact({ pushes }: StreamDetail, base: FactBase): HopFact[] {
  const on = pushes.filter(({ disabled }) => disabled !== true)
  if (on.length === 0) return []
  const sending = on.filter(({ stats }) => stats?.status === 'running').length
  const text = pushText(sending, on.length)
  const isWell = sending === on.length
  const look = isWell ? WELL : ({ family: 'warn', shape: 'half-disc' } as const)
  return [{ ...base, name: 'delivery', ...look, text }]
}

function pushText(sending: number, all: number): string {
  if (all > 1) return `${sending} of ${all} push outputs send`
  return sending === 1 ? 'Its push output sends' : 'Its push output does not send'
}

/** Without the stream itself a push output is as the channel is. */
function stateOfPush(hop: HopSettings, evidence: HopEvidence): StateView {
  const { reading, freshness, server } = evidence
  const channel = viewOfStream(reading, freshness, server)
  const push = pushOf(hop, reading)
  if (typeof reading === 'string' || channel.word === STATE_WORDS.unknown || push === null)
    return channel
  const { state } = viewOfPush(push, reading.disabled === true)
  const sinceMs = state.family === 'ok' ? (push.stats?.opened_at ?? null) : null
  const hasMedia = channel.cause !== CAUSES.noMedia && channel.shape !== 'ring'
  const cause = hasMedia || !needsAttention(state.family) ? state.cause : CAUSES.noMedia
  return { ...state, cause, sinceMs }
}

/** Null while the server has no such push output any more. */
function pushOf({ id }: Pick<HopSettings, 'id'>, reading: StreamReading): StreamPush | null {
  return typeof reading === 'string' ? null : (reading.pushes[Number(id)] ?? null)
}

function pushFact(hop: HopSettings, view: StateView, { reading, readAtMs }: HopEvidence): HopFact {
  const kbps = pushOf(hop, reading)?.stats?.bitrate
  const isSending = view.family === 'ok' && kbps !== undefined
  const isFailing = needsAttention(view.family) && view.cause !== ''
  const otherwise = isFailing ? capital(view.cause) : textOf(view)
  const text = isSending ? `${wholeText(kbps)} kbit/s` : otherwise
  return { name: 'delivery', ...pick(view), text, sinceMs: view.sinceMs, readAtMs }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
