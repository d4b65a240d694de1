/** An encoder's configuration as one ffmpeg command (dataplane.md 2.1 to 2.4). */
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { configFaults, effectiveOnHost } from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { rasterOf, type Raster } from '@trunkline/contract/encoders/video-format.rules'
import { options } from './option.command.ts'
import { outputArgs } from './encoder-output.command.ts'
import { pictureArgs } from './encoder-picture.command.ts'
import { PRACTICE_RATE, sourceArgs, sourceOf } from './encoder-source.command.ts'
import type { HostFacts } from './host-facts.ts'
import { CommandRefused } from './refused.ts'
import type { BuiltUnit } from './unit.ts'

type EncoderSpec = Extract<ProgramSpec, { kind: 'encoder' }>

/**
 * As the broadcast encoder it stands for does in its low-latency modes. Measured: pal 0.16 core,
 * 720p50 0.38, 1080i50 0.48, bars included.
 */
const PRESET = 'veryfast'
const STATISTICS_PERIOD_SECONDS = '1'

/** Throws `CommandRefused` for an unknown card and for combinations that cannot be encoded. */
export function encoderUnit(spec: EncoderSpec, facts: HostFacts): BuiltUnit {
  const [fault] = configFaults(spec.config)
  if (fault !== undefined) throw new CommandRefused(fault)
  const { config, warnings } = effectiveOnHost(spec.config, facts.encoders)
  const source = sourceOf(config, facts)
  const output = outputArgs(config, spec.feederLegs, facts)
  return {
    unit: {
      argv: [
        'ffmpeg',
        '-nostdin',
        '-hide_banner',
        '-nostats',
        ...options({
          loglevel: 'level+info',
          stats_period: STATISTICS_PERIOD_SECONDS,
          progress: 'pipe:1',
        }),
        ...sourceArgs(source, config, facts.fontFile),
        ...videoArgs(config, source),
        ...audioArgs(config, facts),
        ...output.args,
        ...pictureArgs(config, source.kind, facts.pictureFile),
      ],
      repeat: 'never',
      output: 'ffmpeg',
      direction: 'none',
      secrets: [],
    },
    warnings: [...warnings, ...output.warnings],
  }
}

function videoArgs(config: EncoderConfig, { practiceCover }: SourceConfig): string[] {
  const video = config['video-stream']
  const { scan, topFieldFirst } = rasterOf(config['video-format'])
  const isPractice = practiceCover !== undefined
  // A second of its own pictures: HLS cuts at key frames.
  const keyint = isPractice ? PRACTICE_RATE : video.keyint
  return [
    ...options({
      'c:v': 'libx264',
      preset: isPractice ? 'ultrafast' : PRESET,
      tune: 'zerolatency',
      'profile:v': video.profile,
      'level:v': video.level,
      'b:v': `${video.bitrate}k`,
      'maxrate:v': `${video['vbv-maxrate']}k`,
      'bufsize:v': `${video['vbv-bufsize']}k`,
      // Key frames at a fixed distance: HLS cuts there, and viewers join there.
      g: keyint,
      keyint_min: Math.max(1, Math.floor(keyint / 2)),
      sc_threshold: 0,
      bf: 0,
      'threads:v': video.threads,
      'refs:v': video['max-refs'],
    }),
    ...(video['intra-refresh'] === 1 ? ['-intra-refresh', '1'] : []),
    ...scanArgs(isPractice ? 'progressive' : scan, topFieldFirst),
  ]
}

function scanArgs(scan: Raster['scan'], topFieldFirst: boolean): string[] {
  if (scan === 'progressive') return options({ 'x264-params': 'force-cfr=1' })
  const first = topFieldFirst ? 'tff=1' : 'bff=1'
  return options({
    'flags:v': '+ildct+ilme',
    top: topFieldFirst ? 1 : 0,
    // Weighted prediction is not defined across fields of one frame; x264 warns when it is left on.
    'x264-params': `force-cfr=1:${first}:weightp=0`,
  })
}

function audioArgs(config: EncoderConfig, facts: HostFacts): string[] {
  const audio = config['audio-stream']
  const codec = audio.format === 'mp2' ? mp2Args(audio) : aacArgs(audio, facts)
  const common = { 'b:a': `${audio.bitrate}k`, ar: 48000, ac: 2 }
  return [...codec, ...options(common), ...options({ 'metadata:s:a:0': `language=${audio.lang}` })]
}

type Audio = EncoderConfig['audio-stream']

function mp2Args(audio: Extract<Audio, { format: 'mp2' }>): string[] {
  const type = audio['audio-type']
  return [
    ...options({ 'c:a': 'libtwolame', mode: audio['mp2-mode'].replace('-', '_') }),
    // 'undefined' is ISO 639 audio type 0, what is written without a disposition.
    ...(type === 'undefined' ? [] : options({ 'disposition:a:0': type.replace('-', '_') })),
  ]
}

const AAC_PROFILE = {
  'aac-lc': 'aac_low',
  'he-aac-v1': 'aac_he',
  'he-aac-v2': 'aac_he_v2',
} as const

function aacArgs(audio: Extract<Audio, { format: 'aac' }>, facts: HostFacts): string[] {
  const codec = facts.encoders.includes('libfdk_aac') ? 'libfdk_aac' : 'aac'
  return options({ 'c:a': codec, 'profile:a': AAC_PROFILE[audio['aac-profile']] })
}
