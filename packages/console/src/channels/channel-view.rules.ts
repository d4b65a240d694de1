/** What a row and the detail say about a stream: its state, its media, its settings, in words. */
import {
  channelState,
  downstreamKbps,
  inputTracks,
  outputTracks,
  qualityLabel,
  resolutionLabel,
  sourcesOf,
} from '@trunkline/contract/channels/channel.rules'
import type { MediaTrack, StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  isStale,
  type Family,
  type Freshness,
  type Shape,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { FINDING } from './channel.messages.ts'
import { numberText, UNKNOWN } from '../shared/format.ts'

/**
 * What is known of a stream. Without one: the server is silent, it knows no such stream, or nobody
 * has asked yet.
 */
export type StreamReading = StreamDetail | 'silent' | 'gone' | 'unread'

/**
 * CHAN-09 to CHAN-11, what evidence we have for the word, and since when it is so.
 * `host`: the channel's server; null where nothing is known of it.
 */
export function viewOfStream(
  reading: StreamReading,
  freshness: Freshness,
  host: HostStatus | null = null,
): StateView {
  if (isStale(freshness)) {
    return view('blind', 'diamond-question', 'Unknown', 'stale', freshness.brokenSinceMs)
  }
  if (reading === 'unread') return view('move', 'arc', 'Reading', '', null)
  if (reading === 'silent') {
    const sinceMs = host?.online === false ? host.sinceMs : null
    return view('blind', 'diamond-x', 'Offline', 'server silent', sinceMs)
  }
  if (reading === 'gone') return view('bad', 'octagon', 'Offline', 'no such stream', null)
  switch (channelState(reading)) {
    case 'Disabled':
      return view('off', 'ring-slash', 'Disabled', '', null)
    case 'Online':
      return viewOfOnline(reading)
    case 'Offline':
      return view('bad', 'octagon', 'Offline', 'no media', lastMediaMs(reading, freshness.nowMs))
  }
}

/** Media come; what they show is another matter. Since the picture's fault, which is seen first. */
function viewOfOnline(stream: StreamDetail): StateView {
  const lostSinceMs = sourceLostMs(stream)
  if (lostSinceMs !== null) return view('warn', 'ring', 'Online', 'source lost', lostSinceMs)
  const { stats } = stream
  const findings = stats.findings ?? []
  const [first] = findings
  if (first === undefined) return view('ok', 'disc', 'Online', '', null)
  const cause = findings.map(({ kind }) => FINDING[kind].cause).join(', ')
  return view('warn', 'triangle', 'Online', cause, first.since)
}

/** Its playlist outlives a source by some seconds; null while the source is well, or nobody says so. */
export function sourceLostMs(stream: StreamDetail): number | null {
  const { error = '', since } = sourcesOf(stream).current?.stats ?? {}
  return error === '' || since === undefined ? null : since
}

/** Null: never, unsaid, or in the future of a media server whose clock is ahead. */
function lastMediaMs({ stats }: StreamDetail, nowMs: number): number | null {
  const lastMs = stats.since ?? stats.last_dts_at ?? null
  return lastMs === null || lastMs > nowMs ? null : lastMs
}

export function detailOf(reading: StreamReading): StreamDetail | null {
  return typeof reading === 'string' ? null : reading
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

/** CHAN-13: 'h264 1920×1080 FHD'; '' when the server does not say. */
export function videoText(tracks: readonly MediaTrack[]): string {
  const video = tracks.find((track) => track.content === 'video')
  if (video === undefined) return ''
  const size = sizeText(video.width, video.height)
  return [video.codec ?? '', size].filter(Boolean).join(' ')
}

function sizeText(width: number | undefined, height: number | undefined): string {
  if (width === undefined || height === undefined) return ''
  return `${width}×${height} ${resolutionLabel(height)}`
}

/** Every size that viewers can choose: 'h264 1280×720 HD, 640×360 360p'. */
export function videosText(tracks: readonly MediaTrack[]): string {
  const [first, ...more] = tracks.filter((track) => track.content === 'video')
  if (first === undefined) return ''
  const sizes = more.map(({ width, height }) => sizeText(width, height))
  return [videoText([first]), ...sizes].filter(Boolean).join(', ')
}

/** CHAN-14: codec and bitrate in kbps. */
export function audioText(tracks: readonly MediaTrack[]): string {
  const audio = tracks.find((track) => track.content === 'audio')
  if (audio === undefined) return ''
  const bitrate = audio.bitrate === undefined ? '' : String(Math.round(audio.bitrate))
  return [audio.codec ?? '', bitrate].filter(Boolean).join(' ')
}

/** CHAN-13, 14, 17 in one line: of the input, where its server tells it; an en dash when nothing is known. */
export function mediaText(stream: StreamDetail): string {
  // What is off is not measured, and no zero is made of that.
  const kbps = stream.disabled === true ? null : downstreamKbps(stream)
  const bandwidth = kbps === null ? '' : `${kbps.toLocaleString('en')} kbit/s`
  const tracks = inputTracks(stream) ?? outputTracks(stream)
  return [videoText(tracks), audioText(tracks), bandwidth].filter(Boolean).join(', ') || '–'
}

/** 'aac 128' is 'aac, 128 kbit/s' where there is room. */
export function withUnit(text: string): string {
  if (text === '') return UNKNOWN
  const [codec = '', kbps] = text.split(' ')
  return kbps === undefined ? codec : `${codec}, ${kbps} kbit/s`
}

export function onOff(isOn: boolean | undefined): string {
  return isOn === true ? 'on' : 'off'
}

/** CHAN-16, first line: 'Transcoder on, DVR on'. */
export function settingsText(stream: StreamDetail): string {
  const { running_transcoder: transcoder, dvr_enabled: dvr } = stream.stats
  return `Transcoder ${onOff(transcoder)}, DVR ${onOff(dvr)}`
}

/** CHAN-16, second line: template and quality. A dash for none would say that nobody knows (Q123). */
export function templateText(stream: StreamDetail): string {
  return `${stream.template || 'No template'}, ${qualityLabel(stream)}`
}

/** A server's words are a word or two, or whole sentences: 'refused, tried 3 times', 'It is away. Tried 3 times.' */
export function andAlso(words: string, more: string): string {
  if (words === '' || more === '') return words || more
  if (!words.endsWith('.')) return `${words}, ${more}`
  return `${words} ${more.charAt(0).toUpperCase()}${more.slice(1)}.`
}

export interface PushView {
  url: string
  isOn: boolean
  state: StateView
}

/** '4,790 kbit/s, 1.2 GB sent', each only where its server tells it; '' while it does not send. */
export function sentText({ disabled, stats }: StreamDetail['pushes'][number]): string {
  if (disabled === true || stats?.status !== 'running') return ''
  const rate = stats.bitrate === undefined ? '' : `${numberText(stats.bitrate)} kbit/s`
  const sent = stats.bytes === undefined ? '' : `${bytesText(stats.bytes)} sent`
  return [rate, sent].filter(Boolean).join(', ')
}

const BYTE_UNITS = ['kB', 'MB', 'GB', 'TB'] as const

/** `0 kB`, `42 MB`, `1.2 GB`; by 1000. */
function bytesText(bytes: number): string {
  let [value, at] = [bytes / 1000, 0]
  while (Math.round(value) >= 1000 && at < BYTE_UNITS.length - 1)
    [value, at] = [value / 1000, at + 1]
  const text = at > 1 && value < 100 ? value.toFixed(1) : numberText(value)
  return `${text} ${BYTE_UNITS[at]}`
}

/** The streamer API's words: starting, pending, retry, error, or establishing, running, stalling, finished. */
export function viewOfPush(push: StreamDetail['pushes'][number], isChannelOff = false): PushView {
  const isOn = push.disabled !== true
  if (isOn && isChannelOff) {
    return {
      url: push.url,
      isOn,
      state: view('off', 'square', 'Stopped', 'the channel is off', null),
    }
  }
  return { url: push.url, isOn, state: pushState(isOn, push.stats) }
}

function pushState(isOn: boolean, stats: StreamDetail['pushes'][number]['stats']): StateView {
  if (!isOn) return view('off', 'ring-slash', 'Disabled', '', null)
  const { status = '', last_error: error = '', retries = 0 } = stats ?? {}
  const tries = retries > 0 ? `tried ${retries + 1} times` : ''
  const cause = (fallback: string) => andAlso(error || fallback, tries)
  switch (status) {
    case 'running':
      // It says running while it begins again and again.
      return error !== '' && retries > 0
        ? view('warn', 'half-disc', 'Running', cause(''), null)
        : view('ok', 'disc', 'Running', '', null)
    case 'starting':
    case 'pending':
    case 'establishing':
      return error === ''
        ? view('move', 'arc', 'Connecting', '', null)
        : view('warn', 'half-disc', 'Connecting', cause(''), null)
    case 'retry':
      return view('warn', 'half-disc', 'Connecting', cause('the other end does not take it'), null)
    case 'stalling':
      return view('warn', 'ring', 'Running', error || 'stalling', null)
    case 'finished':
      return view('off', 'square', 'Stopped', error, null)
    case 'error':
      return view('bad', 'octagon', 'Error', cause('push failed'), null)
    default:
      return view('blind', 'diamond-question', 'Unknown', status || 'no status', null)
  }
}
