/**
 * What a transport stream says of itself, and what a configuration promises: two readings of one
 * shape, so that a test compares the whole with the whole.
 */
import { spawnSync } from 'node:child_process'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { rasterOf } from '@trunkline/contract/encoders/video-format.rules'
import { z } from 'zod'
import { firstPayload, readTransportStream, type TransportStream } from './transport-stream.ts'

export interface StreamFacts {
  codec: string
  profile: string
  level: string
  size: string
  displayAspect: string
  /** progressive, tt (top field first) or bb. */
  fieldOrder: string
  /** With two decimals: 29.97 is 30000/1001. */
  framesPerSecond: string
  /** Every distance between two key pictures that occurs. */
  keyDistancesFrames: number[]
  videoPid: number
  audioPid: number
  pcrPid: number
  pmtPid: number
  programNumber: number
  transportStreamId: number
  serviceName: string
  hasNit: boolean
  /** Video, then audio, as the PMT has them. */
  streamTypes: number[]
  language: string
  audioType: string
  /** mp2, aac, or aac_latm. */
  audioFormat: string
  /** mp2: stereo, joint-stereo … as its frames say; aac: its profile. */
  audioMode: string
  /** Kbit/s by the frame header; 0 for aac, whose frames vary. */
  audioKbps: number
  sampleRateHz: number
}

/** By ISO 13818-1: 11172 audio, ADTS, LATM, AVC. */
const STREAM_TYPE = { mp2: 0x03, adts: 0x0f, latm: 0x11, avc: 0x1b }
/** Of the ISO 639 language descriptor, in its own order. */
const AUDIO_TYPE_NAMES = ['undefined', 'clean-effects', 'hearing-impaired', 'visual-impaired']
/** Of the MPEG audio header, in its own order. */
const MP2_MODE_NAMES = ['stereo', 'joint-stereo', 'dual-channel', 'mono']
/** ISO 11172-3, layer II, by the header's bitrate index. */
const MP2_KBPS = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]

/** `config` is the effective one (decisions.md 30). */
export function promisedFacts(config: EncoderConfig): StreamFacts {
  const { 'video-stream': video, 'audio-stream': audio, muxer } = config
  const { heightLines, scan, topFieldFirst, frameRate } = rasterOf(config['video-format'])
  const isMp2 = audio.format === 'mp2'
  return {
    codec: 'h264',
    profile: video.profile === 'main' ? 'Main' : 'High',
    level: video.level,
    size: `${video.width}x${heightLines}`,
    displayAspect: video['aspect-ratio'],
    fieldOrder: scan === 'progressive' ? 'progressive' : topFieldFirst ? 'tt' : 'bb',
    framesPerSecond: hundredths(frameRate.numerator / frameRate.denominator),
    keyDistancesFrames: [video.keyint],
    videoPid: video.pid,
    audioPid: audio.pid,
    pcrPid: muxer['pcr-pid'],
    pmtPid: muxer['pmt-pid'],
    programNumber: muxer['program-num'],
    transportStreamId: muxer['ts-id'],
    serviceName: config.title,
    hasNit: muxer['ts-type'] === 'dvb',
    streamTypes: [STREAM_TYPE.avc, STREAM_TYPE[isMp2 ? 'mp2' : audio['aac-encap']]],
    language: audio.lang,
    audioType: isMp2 ? audio['audio-type'] : 'undefined',
    audioFormat: !isMp2 && audio['aac-encap'] === 'latm' ? 'aac_latm' : audio.format,
    audioMode: isMp2 ? audio['mp2-mode'] : 'LC',
    audioKbps: isMp2 ? audio.bitrate : 0,
    sampleRateHz: 48_000,
  }
}

/** Reads the stream by our own parser and by ffprobe; throws when it holds no video or audio. */
export function factsFound(bytes: Buffer): StreamFacts {
  const stream = readTransportStream(bytes)
  const { video, audio, packets } = probe(bytes)
  return {
    ...pictureFacts(video),
    keyDistancesFrames: keyDistances(packets),
    ...tableFacts(stream),
    ...soundFacts(audio, bytes, stream),
  }
}

function hundredths(rate: number): string {
  return rate.toFixed(2)
}

const Probed = z.object({
  streams: z.array(
    z.object({
      codec_name: z.string(),
      codec_type: z.string(),
      profile: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      level: z.number().optional(),
      field_order: z.string().optional(),
      display_aspect_ratio: z.string().optional(),
      r_frame_rate: z.string(),
      sample_rate: z.string().optional(),
    }),
  ),
  packets: z.array(z.object({ codec_type: z.string(), flags: z.string() })),
})
type ProbedStream = z.infer<typeof Probed>['streams'][number]

function probe(bytes: Buffer) {
  const run = spawnSync(
    'ffprobe',
    ['-v', 'error', '-show_streams', '-show_packets', '-of', 'json', '-'],
    { input: bytes, encoding: 'utf8', maxBuffer: 64_000_000 },
  )
  const { streams, packets } = Probed.parse(JSON.parse(run.stdout))
  const video = streams.find((stream) => stream.codec_type === 'video')
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  if (!video || !audio) throw new Error(`No video or no audio was found: ${run.stderr}`)
  return { video, audio, packets: packets.filter((packet) => packet.codec_type === 'video') }
}

function pictureFacts(video: ProbedStream) {
  const [numerator, denominator] = video.r_frame_rate.split('/').map(Number)
  return {
    codec: video.codec_name,
    profile: video.profile ?? '',
    level: ((video.level ?? 0) / 10).toFixed(1),
    size: `${video.width}x${video.height}`,
    displayAspect: video.display_aspect_ratio ?? '',
    fieldOrder: video.field_order ?? '',
    framesPerSecond: hundredths((numerator ?? 0) / (denominator ?? 1)),
  }
}

/** A packet is a frame, both fields of it. */
function keyDistances(packets: readonly { flags: string }[]): number[] {
  const keys = packets.flatMap((packet, index) => (packet.flags.startsWith('K') ? [index] : []))
  const distances = keys.slice(1).map((index, at) => index - (keys[at] ?? 0))
  return [...new Set(distances)]
}

function tableFacts(stream: TransportStream) {
  const [program] = stream.programs
  const [video, audio] = program?.streams ?? []
  if (!program || !video || !audio) throw new Error('The tables name no video and audio.')
  return {
    videoPid: video.pid,
    audioPid: audio.pid,
    pcrPid: program.pcrPid,
    pmtPid: program.pmtPid,
    programNumber: program.number,
    transportStreamId: stream.transportStreamId,
    serviceName: stream.services[program.number] ?? '',
    hasNit: stream.hasNit,
    streamTypes: program.streams.map((stream) => stream.streamType),
    language: audio.language?.code ?? '',
    audioType: AUDIO_TYPE_NAMES[audio.language?.audioType ?? 0] ?? '',
  }
}

function soundFacts(audio: ProbedStream, bytes: Buffer, stream: TransportStream) {
  const pid = stream.programs[0]?.streams[1]?.pid ?? 0
  const isMp2 = audio.codec_name === 'mp2'
  return {
    audioFormat: audio.codec_name,
    ...(isMp2 ? mp2Facts(bytes, pid) : { audioMode: audio.profile ?? '', audioKbps: 0 }),
    sampleRateHz: Number(audio.sample_rate),
  }
}

/** Four bytes: 11 of sync, version and layer; bitrate in the third, mode in the fourth. */
function mp2Facts(bytes: Buffer, pid: number) {
  const header = firstPayload(bytes, pid)
  if (header?.[0] !== 0xff) throw new Error(`PID ${pid} carries no MPEG audio frame.`)
  return {
    audioMode: MP2_MODE_NAMES[(header[3] ?? 0) >> 6] ?? '',
    audioKbps: MP2_KBPS[(header[2] ?? 0) >> 4] ?? 0,
  }
}
