/** What arrives at an input, as ffprobe sees it on the input's leg of the local bus. */
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import { ffmpegReadUrl } from '../../commands/local-leg.command.ts'
import { probe, STREAM_FIELDS, tracksOf, type ProbeAnswer } from './segment-probe.ts'

/** How long packets are counted: two key frames or more of most streams. */
const COUNT_SECONDS = 2
const ANALYZE_MICROSECONDS = 1_500_000
const PROBE_BYTES = 5_000_000
/** An input that was cut meanwhile sends nothing more. */
const SILENCE_MICROSECONDS = 3_000_000

/** Null when nothing arrives, or nothing that can be read. Takes as long as packets are counted. */
export async function probeSource(leg: LocalLeg): Promise<MediaTrack[] | null> {
  const answer = await probe(probeArgs(leg))
  return answer === null || answer.streams.length === 0 ? null : sourceTracksOf(answer)
}

/** The format is named: see the packager's own arguments. */
function probeArgs(leg: LocalLeg): string[] {
  return [
    ['-v', 'fatal'],
    ['-protocol_whitelist', 'udp'],
    ['-probesize', `${PROBE_BYTES}`],
    ['-analyzeduration', `${ANALYZE_MICROSECONDS}`],
    ['-f', 'mpegts'],
    ['-read_intervals', `%+${COUNT_SECONDS}`],
    ['-show_entries', `packet=stream_index,flags,size,dts_time:${STREAM_FIELDS}`],
    ['-of', 'json'],
    [`${ffmpegReadUrl(leg)}&timeout=${SILENCE_MICROSECONDS}`],
  ].flat()
}

/** Pure: as of a segment, with the video's rate as its packets were counted; kbit/s. */
export function sourceTracksOf(answer: ProbeAnswer): MediaTrack[] {
  const videos = answer.streams.filter((stream) => stream.codec_type === 'video')
  let at = 0
  return tracksOf(answer).map((track) => {
    if (track.content !== 'video') return track
    const bitrate = kbpsOf(answer, videos[at++]?.index ?? -1)
    return bitrate === null ? track : { ...track, bitrate }
  })
}

/** From the first packet of a stream to its last; null when that is no time. */
function kbpsOf({ packets = [] }: ProbeAnswer, index: number): number | null {
  const mine = packets.filter((packet) => packet.stream_index === index)
  const times = mine.map((packet) => Number(packet.dts_time ?? Number.NaN)).filter(Number.isFinite)
  const seconds = Math.max(...times) - Math.min(...times)
  const bytes = mine.slice(0, -1).reduce((sum, packet) => sum + Number(packet.size ?? 0), 0)
  return seconds > 0 && bytes > 0 ? Math.round((bytes * 8) / seconds / 1000) : null
}
