/** What a segment holds, as ffprobe sees it, in the media server's words. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MediaTrack } from '@trunkline/contract/channels/stream.schema'
import { z } from 'zod'
import { toolEnvironment } from '../../config.ts'
import { ownSegmentName } from '../timeline/playlist-text.ts'

const run = promisify(execFile)
/** It takes 0.17 s on an idle machine. */
const PROBE_LIMIT_MS = 10_000
/** The answer about a minute at 50 frames per second has a third of this. */
const MAX_ANSWER_BYTES = 1024 * 1024

const ProbeAnswer = z.object({
  /** Each with its stream and, of the first letter, whether it is a key frame. */
  packets: z
    .array(
      z.object({
        stream_index: z.number(),
        flags: z.string(),
        /** Bytes. */
        size: z.string().optional(),
        /** Seconds. */
        dts_time: z.string().optional(),
      }),
    )
    .default([]),
  streams: z.array(
    z.object({
      index: z.number().default(-1),
      codec_type: z.string().optional(),
      codec_name: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      avg_frame_rate: z.string().optional(),
      bit_rate: z.string().optional(),
      tags: z.object({ language: z.string().optional() }).optional(),
    }),
  ),
  format: z.object({ bit_rate: z.string().optional() }).default({}),
})
export type ProbeAnswer = z.input<typeof ProbeAnswer>

/**
 * The pictures of every rendition, the sound of the first: it is the same in all. Null when it
 * cannot be read: the packager may have deleted it meanwhile.
 */
export async function probeRow(
  folder: string,
  number: number,
  renditions: number,
): Promise<MediaTrack[] | null> {
  const tracks: MediaTrack[] = []
  // One after the other: a probe takes a core.
  for (let at = 0; at < renditions; at++) {
    const found = await probeSegment(join(folder, ownSegmentName(at, number)))
    if (found === null) return null
    tracks.push(...(at === 0 ? found : found.filter(isVideo)))
  }
  const sound = tracks.filter((track) => !isVideo(track))
  const pictures = tracks.filter(isVideo)
  return [...pictures.map((track, at) => ({ ...track, track_id: `v${at + 1}` })), ...sound]
}

function isVideo(track: MediaTrack): boolean {
  return track.content === 'video'
}

async function probeSegment(file: string): Promise<MediaTrack[] | null> {
  const answer = await probe(probeArgs(file))
  return answer === null ? null : tracksOf(answer)
}

/** What ffprobe answers; null when it cannot read what it was given. */
export async function probe(args: readonly string[]): Promise<ProbeAnswer | null> {
  try {
    const { stdout } = await run('ffprobe', args, {
      env: toolEnvironment(),
      timeout: PROBE_LIMIT_MS,
      maxBuffer: MAX_ANSWER_BYTES,
    })
    return ProbeAnswer.parse(JSON.parse(stdout))
  } catch {
    return null
  }
}

/** Of each stream, whatever is probed. */
export const STREAM_FIELDS =
  'stream=index,codec_type,codec_name,width,height,avg_frame_rate,bit_rate:stream_tags=language'

/** The format is named: a segment is made from what somebody sent us. */
function probeArgs(file: string): string[] {
  return [
    '-v',
    'error',
    '-protocol_whitelist',
    'file',
    '-f',
    'mpegts',
    '-show_entries',
    `packet=stream_index,flags:${STREAM_FIELDS}:format=bit_rate`,
    '-of',
    'json',
    `file:${file}`,
  ]
}

/** Pure: ffprobe's answer as tracks v1, a1, a2 …; bitrates in kbit/s. */
export function tracksOf(answer: ProbeAnswer): MediaTrack[] {
  const counts = { video: 0, audio: 0 }
  const audioBps = answer.streams.reduce(
    (sum, stream) => sum + (stream.codec_type === 'audio' ? Number(stream.bit_rate ?? 0) : 0),
    0,
  )
  // A transport stream does not say the video's own rate: it is what the sound leaves.
  const videoBps = Math.max(0, Number(answer.format?.bit_rate ?? 0) - audioBps)
  return answer.streams.flatMap((stream) => {
    const content = stream.codec_type
    if (content !== 'video' && content !== 'audio') return []
    const number = ++counts[content]
    const bitsPerSecond = content === 'video' ? videoBps : Number(stream.bit_rate ?? 0)
    return [
      {
        content,
        track_id: `${content[0]}${number}`,
        ...(stream.codec_name === undefined ? {} : { codec: codecName(stream.codec_name) }),
        ...(stream.width ? { width: stream.width } : {}),
        ...(stream.height ? { height: stream.height } : {}),
        ...(bitsPerSecond > 0 ? { bitrate: Math.round(bitsPerSecond / 1000) } : {}),
        ...(content === 'video' ? frameRate(stream.avg_frame_rate ?? '') : {}),
        ...(content === 'video' ? lastGop(answer.packets ?? [], stream.index ?? -1) : {}),
        ...(stream.tags?.language === undefined ? {} : { language: stream.tags.language }),
      },
    ]
  })
}

const CODEC_NAMES: Record<string, string> = { mpeg2video: 'mp2v', mp2: 'mp2a' }

function codecName(name: string): string {
  return CODEC_NAMES[name] ?? name
}

/** '30000/1001' as 29.97. */
function frameRate(fraction: string): { fps?: number } {
  const [pictures = 0, seconds = 0] = fraction.split('/').map(Number)
  return pictures > 0 && seconds > 0 ? { fps: Number((pictures / seconds).toFixed(2)) } : {}
}

/** Pictures between the last two key frames; a segment that begins with its only one ends before the next. */
function lastGop(
  packets: readonly { stream_index: number; flags: string }[],
  index: number,
): { last_gop?: number } {
  const isKey = packets
    .filter((packet) => packet.stream_index === index)
    .map((packet) => packet.flags.startsWith('K'))
  const last = isKey.lastIndexOf(true)
  const before = last < 1 ? -1 : isKey.lastIndexOf(true, last - 1)
  if (before >= 0) return { last_gop: last - before }
  return last === 0 ? { last_gop: isKey.length } : {}
}
