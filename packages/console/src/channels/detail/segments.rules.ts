/** What is said of a playlist's segments: as the player reads them, else as they are asked for. */
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { numberText, UNKNOWN } from '../../shared/format.ts'
import { WITHOUT_STUFFING } from '../channel.messages.ts'
import type { PlayerView } from '../player/player.ts'

type Played = Pick<PlayerView, 'playlist' | 'playlistAgeS'>

/** '6 listed, 2.0 s each, newest 2.1 s old'. */
export function segmentsText(played: Played | null, stream: StreamDetail | null): string {
  if (played?.playlist) {
    const { segments, segmentS } = played.playlist
    const age =
      played.playlistAgeS === null ? '' : `, newest ${decimalText(played.playlistAgeS, 1)} s old`
    return `${segments} listed, ${decimalText(segmentS, 1)} s each${age}`
  }
  if (stream?.segment_duration === undefined) return UNKNOWN
  const count = stream.segment_count === undefined ? '' : `${stream.segment_count} listed, `
  return `${count}asked for ${secondsText(stream.segment_duration / 1000)} each`
}

/**
 * '948 kbit/s without stuffing'. A server counts all that arrives at its input, null packets with it;
 * segments carry none, and so the two figures of one stream differ.
 */
export function rateText(played: Pick<PlayerView, 'bitrateKbps'> | null): string {
  const kbps = played?.bitrateKbps ?? null
  return kbps === null ? UNKNOWN : `${numberText(kbps)} kbit/s ${WITHOUT_STUFFING}`
}

/** A segment is a key frame longer than it is asked for only beyond this, seconds. */
const TOLERANCE_S = 0.1

/** 'Asked 1 s; key frames come every 1.9 s'; '' where segments can be cut as asked. */
export function keyFramesText(askedMs: number | undefined, everyS: number | null): string {
  if (askedMs === undefined || everyS === null) return ''
  if (everyS <= askedMs / 1000 + TOLERANCE_S) return ''
  return `Asked ${secondsText(askedMs / 1000)}; key frames come every ${secondsText(everyS)}`
}

function secondsText(seconds: number): string {
  return `${decimalText(Number(seconds.toFixed(1)), null)} s`
}
