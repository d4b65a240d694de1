/** What a row and the detail say about a stream: its state, its media, its settings, in words. */
import {
  downstreamKbps,
  inputTracks,
  outputTracks,
  qualityLabel,
  resolutionLabel,
} from '@trunkline/contract/channels/channel.rules'
import type { MediaTrack, StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { numberText, UNKNOWN } from '../shared/format.ts'
import { LOCALE } from '../lib/locale/language.ts'

export function detailOf(reading: StreamReading): StreamDetail | null {
  return typeof reading === 'string' ? null : reading
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
  const bandwidth = kbps === null ? '' : `${kbps.toLocaleString(LOCALE)} kbit/s`
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
  const text = at > 1 && value < 100 ? decimalText(value, 1) : numberText(value)
  return `${text} ${BYTE_UNITS[at]}`
}
