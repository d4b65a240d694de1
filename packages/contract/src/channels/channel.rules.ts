/** What a channel's row says about its stream, from the stream's own figures alone. */
import { PROOF_WITHIN_MS } from '../fleet/state-view.rules.ts'
import type { MediaTrack, StreamDetail } from './stream.schema.ts'

export type ChannelState = 'Disabled' | 'Online' | 'Offline'

/** STATE-06: disabled first, then alive, else Offline; null stands for a server that is silent. */
export function channelState(stream: StreamDetail | null): ChannelState {
  if (stream?.disabled === true) return 'Disabled'
  return stream?.stats.alive === true ? 'Online' : 'Offline'
}

/**
 * Since when a channel waits for its first picture, as one that was just enabled or restarted, or for the
 * first segment of a source that came back; null once that has taken too long, or where nobody says since
 * when. One that is restarted may still be on air with its last segments.
 */
export function startingSinceMs(stream: StreamDetail, nowMs: number): number | null {
  const beganMs = beganAtMs(stream)
  if (beganMs === null) return null
  const sinceMs = Math.min(nowMs, beganMs)
  return nowMs - sinceMs < PROOF_WITHIN_MS ? sinceMs : null
}

function beganAtMs(stream: StreamDetail): number | null {
  const { alive, since, starting_since: startedAtMs, last_dts_at: lastAtMs } = stream.stats
  if (startedAtMs !== undefined && receiverFaultOf(stream) === '') return startedAtMs
  const isAwaited = lastAtMs === undefined || isSourceWell(stream)
  return alive !== true && isAwaited ? (since ?? null) : null
}

/** The source that is shown gives a picture, as our own channel server says. */
export function isSourceWell(stream: StreamDetail): boolean {
  return sourcesOf(stream).current?.stats?.active_since !== undefined
}

/** What receives the shown source is paused or does not run: why it gives nothing, a sentence; '' otherwise. */
export function receiverFaultOf(stream: StreamDetail): string {
  const { error = '', receiver_down: isDown } = sourcesOf(stream).current?.stats ?? {}
  return isDown === true ? error : ''
}

/** CHAN-17: bit/s to kbit/s, rounded; null when the server does not say. */
export function downstreamKbps(stream: StreamDetail): number | null {
  const { inputs_bandwidth: bandwidthBps, input_bitrate: bitrateKbps } = stream.stats
  if (bandwidthBps !== undefined) return Math.round(bandwidthBps / 1000)
  return bitrateKbps === undefined ? null : Math.round(bitrateKbps)
}

/** Q123. */
export function resolutionLabel(heightLines: number): string {
  if (heightLines === 2160) return '4K'
  if (heightLines === 1080) return 'FHD'
  if (heightLines === 720) return 'HD'
  return heightLines === 576 || heightLines === 480 ? 'SD' : `${heightLines}p`
}

export function trackOf(stream: StreamDetail, content: 'video' | 'audio'): MediaTrack | null {
  return stream.stats.media_info?.tracks?.find((track) => track.content === content) ?? null
}

/**
 * What comes in, as the current input says. Of a server that does not say it: what goes out, unless
 * a transcoder makes something else of it; null then.
 */
export function inputTracks(stream: StreamDetail): readonly MediaTrack[] | null {
  const { current, standby } = sourcesOf(stream)
  const own = (current ?? standby[0])?.stats?.media_info?.tracks
  if (own !== undefined) return own
  return stream.stats.running_transcoder === true ? null : outputTracks(stream)
}

export function outputTracks(stream: StreamDetail): readonly MediaTrack[] {
  return stream.stats.media_info?.tracks ?? []
}

/** CHAN-12, CHAN-25: the input that carries the picture, and the rest. */
export function sourcesOf(stream: StreamDetail) {
  const current = stream.inputs.find((input) => input.stats?.active === true) ?? null
  return { current, standby: stream.inputs.filter((input) => input !== current) }
}

export interface LostSource {
  error: string
  sinceMs: number
  /** What receives it is paused or does not run, on the server itself: its sender is not to blame. */
  isReceiverDown: boolean
}

/**
 * The source that would be shown, if it gave a picture, in place of the backup that is; null while
 * that is the first, was chosen by hand, or nobody says since when. Only our own channel server does.
 */
export function lostPrimaryOf({ inputs }: StreamDetail): LostSource | null {
  if (inputs.length < 2) return null
  const ranked = inputs.toSorted((a, b) => sourceRankOf(a) - sourceRankOf(b))
  const shownAt = ranked.findIndex(({ stats }) => stats?.active === true)
  if (ranked[shownAt]?.stats?.selected === true) return null
  const before = ranked.slice(0, Math.max(0, shownAt))
  return before.flatMap(({ stats }) => lostSourceIn(stats))[0] ?? null
}

/**
 * Why nothing could take over, while no standby source gives a picture: that of the first of them as listed,
 * since the last was lost. Null where one is ready, there is none, the current source was chosen by hand, or nobody
 * says since when. Only our own channel server does.
 */
export function lostBackupOf(stream: StreamDetail): LostSource | null {
  const { current, standby } = sourcesOf(stream)
  if (current === null || current.stats?.selected === true) return null
  const lost = standby.flatMap(({ stats }) => lostSourceIn(stats))
  const [first] = lost
  if (first === undefined || lost.length < standby.length) return null
  return { ...first, sinceMs: Math.max(...lost.map(({ sinceMs }) => sinceMs)) }
}

function lostSourceIn(stats: StreamDetail['inputs'][number]['stats']): LostSource[] {
  const { error = '', since, receiver_down: isReceiverDown = false } = stats ?? {}
  return error === '' || since === undefined ? [] : [{ error, sinceMs: since, isReceiverDown }]
}

/** How a channel server orders its sources, those of equal rank as they are listed: the lowest is shown first. */
export function sourceRankOf({ priority }: { priority?: number | null | undefined }): number {
  return priority ?? Number.MAX_SAFE_INTEGER
}

/** Q123: 'Source' without a transcoder, else the label of the highest video track. */
export function qualityLabel(stream: StreamDetail): string {
  if (stream.stats.running_transcoder !== true) return 'Source'
  const heights = (stream.stats.media_info?.tracks ?? [])
    .filter((track) => track.content === 'video')
    .map((track) => track.height ?? 0)
  const highest = Math.max(0, ...heights)
  return highest === 0 ? 'Source' : resolutionLabel(highest)
}

/** Every video track's label, the highest first: 'FHD, HD, SD'; 'Source' without a transcoder. */
export function rungsLabel(stream: StreamDetail): string {
  if (stream.stats.running_transcoder !== true) return 'Source'
  const heights = (stream.stats.media_info?.tracks ?? [])
    .filter((track) => track.content === 'video' && (track.height ?? 0) > 0)
    .map((track) => track.height ?? 0)
    .toSorted((a, b) => b - a)
  return [...new Set(heights.map(resolutionLabel))].join(', ') || 'Source'
}

/** Seconds between two key frames, which is what a segment can be cut at; null when untold. */
export function keyFrameEveryS(stream: StreamDetail): number | null {
  const { last_gop: frames = 0, fps = 0 } = trackOf(stream, 'video') ?? {}
  return frames > 0 && fps > 0 ? frames / fps : null
}

/** What the API says of a media server that knows no choosing of sources. */
export const CANNOT_SELECT_INPUT = 'This media server cannot switch sources by hand.'

/** CHAN-27: at most two push outputs are shown. */
export const SHOWN_PUSHES = 2
/** CONST-08, in milliseconds. */
export const DETAIL_REFRESH_MS = 10_000
export const PLAYER_DELAY_MS = 3000
