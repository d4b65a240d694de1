/**
 * The signal path of a channel from its source on: source, media server, transcoder, playlist, this
 * browser. Each hop from evidence of its own; what feeds the source is joined from what is configured
 * (`paths/`).
 */
import {
  downstreamKbps,
  rungsLabel,
  sourcesOf,
  startingSinceMs,
} from '@trunkline/contract/channels/channel.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import { durationText, numberText, UNKNOWN } from '../../shared/format.ts'
import { FINDING, noPictureText, PATH } from '../channel.messages.ts'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { detailOf } from '../channel-view.rules.ts'
import type { PlayerView } from '../player/player.ts'
import { readinessOf } from '../sources/sources.rules.ts'

export interface Hop {
  kind: string
  name: string
  family: Family
  shape: Shape
  /** Its word or its key figure, never without the shape. */
  says: string
  /** Why it is not well, a sentence or a word; '' when it is. */
  cause: string
}

export interface PathFacts {
  /** Of the media server. */
  server: string
  reading: StreamReading
  /** Too old to be believed. */
  isStale: boolean
  /** Null while no player runs. */
  played: PlayerView | null
  isDirect: boolean
  /** The API's clock. */
  nowMs: number
  /** This browser's clock. */
  browserNowMs: number
}

type State = Omit<Hop, 'kind' | 'name'>

/** A playlist names a new segment once in each of them; it may be read late once, and come late once. */
const LATE_SEGMENTS = 3

const state = (family: Family, shape: Shape, says: string, cause = ''): State => ({
  family,
  shape,
  says,
  cause,
})
const UNSEEN = state('blind', 'diamond-question', PATH.unknown)
const READING = state('move', 'arc', PATH.reading)
const WAITING = state('move', 'arc', PATH.waits)
const OFF = state('off', 'ring-slash', PATH.off)

export function hopsOf(facts: PathFacts): Hop[] {
  const { reading, played, isStale } = facts
  const stream = detailOf(reading)
  const stated = (read: (stream: StreamDetail) => State): State => {
    if (isStale || stream === null) return reading === 'unread' ? READING : UNSEEN
    return stream.disabled === true ? OFF : read(stream)
  }
  const shown = (read: (played: PlayerView) => State): State => {
    if (stream?.disabled === true) return OFF
    return played === null ? WAITING : read(played)
  }
  const here = facts.isDirect ? PATH.direct : PATH.relayed
  return [
    hop(
      PATH.source,
      sourceName(stream),
      stated((item) => sourceState(item, facts.nowMs)),
    ),
    hop(PATH.server, facts.server, isStale ? UNSEEN : serverState(reading)),
    hop(PATH.transcoder, transcoderName(stream), stated(transcoderState)),
    hop(PATH.playlist, playlistName(played), shown(playlistState)),
    hop(
      PATH.here,
      here,
      shown((item) => pictureState(item, facts.browserNowMs)),
    ),
  ]
}

function hop(kind: string, name: string, how: State): Hop {
  return { kind, name, ...how }
}

/** 'SRT', 'UDP': what its address begins with. */
function sourceName(stream: StreamDetail | null): string {
  const { current, standby } = stream === null ? NO_SOURCES : sourcesOf(stream)
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec((current ?? standby[0])?.url ?? '')?.[0]
  return scheme === undefined ? UNKNOWN : scheme.toUpperCase()
}

const NO_SOURCES = { current: null, standby: [] }

function sourceState(stream: StreamDetail, nowMs: number): State {
  const { current, standby } = sourcesOf(stream)
  const input = current ?? standby[0]
  if (input === undefined) return state('bad', 'octagon', PATH.noSource)
  if (startingSinceMs(stream, nowMs) !== null) return WAITING
  const ready = readinessOf(input, nowMs)
  if (ready.kind === 'not ready') return state('bad', 'octagon', PATH.noMedia, ready.why)
  if (stream.stats.alive !== true) return state('bad', 'octagon', PATH.noMedia)
  const [finding] = stream.stats.findings ?? []
  if (finding !== undefined) {
    const { says, sentence } = FINDING[finding.kind]
    const since = `${says} ${durationText(nowMs - finding.since)}`
    return state('warn', 'triangle', since, sentence)
  }
  const kbps = input.stats?.bitrate ?? downstreamKbps(stream)
  return state('ok', 'disc', kbps === null ? PATH.active : `${numberText(kbps)} kbit/s`)
}

function serverState(reading: StreamReading): State {
  if (reading === 'unread') return READING
  if (reading === 'silent') return state('blind', 'diamond-x', PATH.silent)
  if (reading === 'gone') return state('bad', 'octagon', PATH.noStream)
  return state('ok', 'disc', PATH.answers)
}

function transcoderName(stream: StreamDetail | null): string {
  if (stream === null) return UNKNOWN
  return stream.stats.running_transcoder === true ? stream.template || PATH.on : PATH.none
}

/** Off by design is well: the picture is passed on as it came. */
function transcoderState(stream: StreamDetail): State {
  return stream.stats.running_transcoder === true
    ? state('ok', 'disc', rungsLabel(stream))
    : state('off', 'square', PATH.passedOn)
}

function playlistName(played: PlayerView | null): string {
  const renditions = played?.playlist?.renditions ?? 0
  if (renditions === 0) return UNKNOWN
  return renditions === 1 ? PATH.singleSize : PATH.sizes(renditions)
}

function playlistState({ state: phase, playlist, playlistAgeS }: PlayerView): State {
  if (phase.phase === 'missing' && phase.failure.kind !== 'media') {
    return state('bad', 'octagon', PATH.noPlaylist, noPictureText(phase.failure).cause)
  }
  if (playlist === null || playlistAgeS === null) return READING
  const age = PATH.newest(decimalText(playlistAgeS, 1))
  const isLate = playlistAgeS > LATE_SEGMENTS * playlist.segmentS
  return isLate ? state('warn', 'triangle', age, PATH.late) : state('ok', 'disc', age)
}

function pictureState({ state: phase, secondsBehind }: PlayerView, nowMs: number): State {
  switch (phase.phase) {
    case 'playing':
      return state('ok', 'disc', secondsBehind === null ? PATH.moving : PATH.behind(secondsBehind))
    case 'paused':
      return state('off', 'square', PATH.paused)
    case 'loading':
      return state('move', 'arc', PATH.loading)
    case 'frozen':
      return state('warn', 'triangle', PATH.frozen(durationText(nowMs - phase.sinceMs)))
    case 'missing':
      return state('bad', 'octagon', PATH.noPicture)
  }
}

/**
 * The place of the first hop that is not well, for what follows suffers from it; -1 for none. One
 * that is known to be unwell comes before one that cannot be seen.
 */
export function badAt(hops: readonly Hop[]): number {
  const known = hops.findIndex(
    ({ family, shape }) => needsAttention(family) && shape !== UNSEEN.shape,
  )
  return known >= 0 ? known : hops.findIndex(({ family }) => needsAttention(family))
}

export function verdictOf(hops: readonly Hop[]): Pick<Hop, 'family' | 'shape' | 'says'> {
  const bad = hops[badAt(hops)]
  if (bad !== undefined) {
    return { ...bad, says: bad.shape === UNSEEN.shape ? PATH.unseen : PATH.firstBad(bad) }
  }
  if (hops.some(({ family }) => family === 'move')) return { ...READING, says: PATH.waiting }
  return hops.at(0)?.family === 'off' ? { ...OFF, says: PATH.allOff } : WELL
}

const WELL = state('ok', 'disc', PATH.allWell)
