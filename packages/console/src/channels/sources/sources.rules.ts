/** What is said of each source of a stream: what it brings, and whether it could take over. */
import {
  channelState,
  downstreamKbps,
  resolutionLabel,
  sourcesOf,
} from '@trunkline/contract/channels/channel.rules'
import { andAlso } from '@trunkline/contract/channels/push-view.rules'
import type { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'
import { durationText, numberText } from '../../shared/format.ts'
import { sourceLostMs } from '@trunkline/contract/channels/stream-view.rules'

/** A server looks every few seconds, and tells us every 2 s or 10 s; more is no delay of the news. */
const SILENT_AFTER_MS = 15_000

export type Readiness =
  | { kind: 'ready' }
  /** The server says nothing about a source that it does not show. */
  | { kind: 'unknown' }
  /** `why` is a word or a sentence of the server's. */
  | { kind: 'not ready'; why: string }

/** `nowMs`: the API's clock. */
export function readinessOf({ stats }: StreamInput, nowMs: number): Readiness {
  const error = stats?.error ?? ''
  if (error !== '') return { kind: 'not ready', why: error }
  const lastMs = stats?.last_dts_at
  if (lastMs !== undefined && nowMs - lastMs > SILENT_AFTER_MS) {
    return { kind: 'not ready', why: `No data for ${durationText(nowMs - lastMs)}` }
  }
  if (stats?.bitrate === 0) return { kind: 'not ready', why: 'No data' }
  const hasReadings = lastMs !== undefined || stats?.bitrate !== undefined || hasTracks(stats)
  return { kind: hasReadings ? 'ready' : 'unknown' }
}

function hasTracks(stats: StreamInput['stats']): boolean {
  return (stats?.media_info?.tracks.length ?? 0) > 0
}

/** '4,790 kbit/s, h264 1920×1080 FHD'; '' when the server says neither. */
export function bringsText({ stats }: StreamInput): string {
  const video = stats?.media_info?.tracks.find((track) => track.content === 'video')
  const { codec = '', width = 0, height = 0 } = video ?? {}
  const size = width > 0 && height > 0 ? `${width}×${height} ${resolutionLabel(height)}` : ''
  const rate = stats?.bitrate === undefined ? '' : `${numberText(stats.bitrate)} kbit/s`
  return [rate, [codec, size].filter(Boolean).join(' ')].filter(Boolean).join(', ')
}

/** '4,812 kbit/s, active for 9:14:02, chosen by hand'; of one that brings nothing, why. */
export function currentText(stream: StreamDetail, input: StreamInput, nowMs: number): string {
  const ready = readinessOf(input, nowMs)
  const byHand = input.stats?.selected === true ? 'chosen by hand' : ''
  if (ready.kind === 'not ready') return andAlso(ready.why, byHand)
  const kbps = input.stats?.bitrate ?? downstreamKbps(stream)
  const activeSinceMs = activeSince(input)
  return [
    kbps === null ? '' : `${numberText(kbps)} kbit/s`,
    activeSinceMs === undefined ? '' : `active for ${durationText(nowMs - activeSinceMs)}`,
    byHand,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Ours says it; other servers open a source when they show it. */
function activeSince({ stats }: StreamInput): number | undefined {
  return stats?.since === undefined ? stats?.opened_at : stats.active_since
}

/** Why nothing comes in, as the source that should bring it says; '' when it does, or is silent on it. */
export function noMediaText(stream: StreamDetail, nowMs: number): string {
  const state = channelState(stream)
  if (state === 'Disabled' || (state === 'Online' && sourceLostMs(stream) === null)) return ''
  const { current, standby } = sourcesOf(stream)
  const input = current ?? standby[0]
  const ready = input === undefined ? null : readinessOf(input, nowMs)
  return ready?.kind === 'not ready' ? ready.why : ''
}
