/**
 * What an encoder really does with a configuration: the values its tools can keep, and a sentence
 * for each that differs. The form shows it, the command is built from it, tests compare with it
 * (decisions.md 30).
 */
import type { HostSource } from '../agent/capability.schema.ts'
import { isMulticast } from '../text.schema.ts'
import { AAC_PROFILES, LEVELS, parseTarget, type EncoderConfig } from './encoder-config.schema.ts'
import { rasterOf, widthChoices } from './video-format.rules.ts'

export interface EffectiveConfig {
  config: EncoderConfig
  /** One sentence per value that is not kept, in the order of the form's tabs. */
  warnings: string[]
}

/**
 * Bit/s of mux rate per kbit/s of streams. 1000 would leave nothing for PES and TS headers, tables
 * and PCR; with 1080 busy pictures still leave 1 % of null packets (dataplane.md 2.3).
 */
export const MUX_BITS_PER_STREAM_KBIT = 1080
/** Below this there is no picture to speak of; also the least that a configuration may ask for. */
const LEAST_VIDEO_KBPS = 100
/** ISO 11172-3, table for layer II with two channels; any other rate does not start. */
const MP2_RATES_KBPS = [64, 96, 112, 128, 160, 192, 224, 256, 320, 384] as const
/** H.264 table A-4: frame_mbs_only_flag must be 1 from level 4.2 on. */
const HIGHEST_INTERLACED_LEVEL = '4.1'

type Rule = (config: EncoderConfig) => EffectiveConfig

/** What no host can do otherwise, whatever it has installed. */
export function effectiveConfig(config: EncoderConfig): EffectiveConfig {
  return applied(config, [
    mp2Rate,
    videoRates,
    interlacedLevel,
    references,
    pcrPid,
    pcrPeriod,
    tables,
  ])
}

/** As above, and what this host's ffmpeg lacks; `encoders` are its encoder names. */
export function effectiveOnHost(
  config: EncoderConfig,
  encoders: readonly string[],
): EffectiveConfig {
  const everywhere = effectiveConfig(config)
  const here = highEfficiencyAac(everywhere.config, encoders)
  return { config: here.config, warnings: [...everywhere.warnings, ...here.warnings] }
}

/** Why a configuration cannot be encoded: the field to mend first, and the sentence for the operator. */
export interface ConfigFault {
  /** Dotted path inside the configuration. */
  field: string
  sentence: string
}

/**
 * Why this configuration cannot be encoded at all; empty when it can. These are combinations of
 * fields, each of which is in range.
 */
export function configFaultList(config: EncoderConfig): ConfigFault[] {
  const { 'video-stream': video, muxer } = config
  const faults = pidFaults(config)
  const widths = widthChoices(config['video-format'])
  if (!widths.includes(video.width)) {
    faults.push({
      field: 'video-stream.width',
      sentence: `Width ${video.width} is not one of ${config['video-format']}. Choose ${widths.join(' or ')}.`,
    })
  }
  // As it is sent: MP2 may take more than it was given.
  const { config: sent } = mp2Rate(config)
  if (muxer.cbr === 1 && roomForVideoKbps(sent) < LEAST_VIDEO_KBPS) {
    const audioKbps = sent['audio-stream'].bitrate
    const least = (LEAST_VIDEO_KBPS + audioKbps) * MUX_BITS_PER_STREAM_KBIT
    faults.push({
      field: 'muxer.ts-muxrate',
      sentence: `A mux rate of ${muxer['ts-muxrate']} bit/s has no room for a picture beside ${audioKbps} kbit/s of audio. Set at least ${least} bit/s.`,
    })
  }
  return [...faults, ...targetFaults(config)]
}

function targetFaults({ output }: EncoderConfig): ConfigFault[] {
  const places = output.map(({ target }) => parseTarget(target))
  return places.flatMap((place, index) => {
    if (place === null) return []
    const field = `output.${index}.target`
    const same = places.findIndex((each) => each?.host === place.host && each.port === place.port)
    if (same < index) {
      const sentence = `Output ${same + 1} sends to ${place.host}:${place.port} already. Choose another target.`
      return [{ field, sentence }]
    }
    if (isMulticast(place.host) || isSendable(place.host)) return []
    return [{ field, sentence: `${place.host} is not an address to send to. Use another address.` }]
  })
}

/** Neither 'this network' nor the reserved ones and the broadcast above multicast. */
function isSendable(ip: string): boolean {
  const first = Number(ip.split('.')[0])
  return first > 0 && first < 240
}

/** Q84: each stream has a PID of its own. Named with whose it is, at the field that comes later. */
function pidFaults({
  'video-stream': video,
  'audio-stream': audio,
  muxer,
}: EncoderConfig): ConfigFault[] {
  const uses = [
    { name: 'video', field: 'video-stream.pid', pid: video.pid },
    { name: 'audio', field: 'audio-stream.pid', pid: audio.pid },
    { name: 'PMT', field: 'muxer.pmt-pid', pid: muxer['pmt-pid'] },
  ]
  return uses.flatMap(({ name, field, pid }, index) => {
    const owner = uses.slice(0, index).find((other) => other.pid === pid)
    if (owner === undefined) return []
    const sentence = `PID ${pid} is the ${owner.name} PID already. Choose another ${name} PID.`
    return [{ field, sentence }]
  })
}

/** Why an encoder with this card will not start on a host that has these sources; '' when it will. */
export function sourceWarning(cardIdx: number, sources: readonly HostSource[]): string {
  const source = sources.find((each) => each.cardIdx === cardIdx)
  if (source?.unusable === '') return ''
  const cause = source?.unusable ?? 'this host has no such source.'
  return `Card ${cardIdx}: ${cause} The encoder will not start.`
}

/** The sentences of `configFaultList` alone. */
export function configFaults(config: EncoderConfig): string[] {
  return configFaultList(config).map((fault) => fault.sentence)
}

/** The most video, in kbit/s, that the constant mux rate carries beside the audio. */
function roomForVideoKbps(config: EncoderConfig): number {
  const total = config.muxer['ts-muxrate'] / MUX_BITS_PER_STREAM_KBIT
  return Math.floor(total - config['audio-stream'].bitrate)
}

function applied(config: EncoderConfig, rules: readonly Rule[]): EffectiveConfig {
  const warnings: string[] = []
  let current = config
  for (const rule of rules) {
    const next = rule(current)
    current = next.config
    warnings.push(...next.warnings)
  }
  return { config: current, warnings }
}

function mp2Rate(config: EncoderConfig): EffectiveConfig {
  const audio = config['audio-stream']
  if (audio.format !== 'mp2') return unchanged(config)
  const bitrate = MP2_RATES_KBPS.find((rate) => rate >= audio.bitrate) ?? audio.bitrate
  if (bitrate === audio.bitrate) return unchanged(config)
  return {
    config: { ...config, 'audio-stream': { ...audio, bitrate } },
    warnings: [`MP2 stereo has no ${audio.bitrate} kbit/s; it is sent with ${bitrate} kbit/s.`],
  }
}

/**
 * Without a constant mux rate nothing limits the sum, so nothing is clamped. A maxrate above the
 * room would burst over it; one below the bitrate holds that down (x264 does so by itself).
 */
function videoRates(config: EncoderConfig): EffectiveConfig {
  const { bitrate, 'vbv-maxrate': maxrate } = config['video-stream']
  const constant = config.muxer.cbr === 1
  const room = constant ? Math.max(LEAST_VIDEO_KBPS, roomForVideoKbps(config)) : Infinity
  const kept = Math.min(bitrate, room, maxrate)
  if (kept === bitrate && maxrate <= room) return unchanged(config)
  const changed = withVideo(config, { bitrate: kept, 'vbv-maxrate': Math.min(maxrate, room) })
  return { config: changed, warnings: [rateWarning(config, room)] }
}

function rateWarning(config: EncoderConfig, room: number): string {
  const { bitrate, 'vbv-maxrate': maxrate } = config['video-stream']
  if (maxrate < Math.min(bitrate, room)) {
    return `vbv-maxrate ${maxrate} kbit/s is below the video bitrate and holds it down.`
  }
  const muxRate = config.muxer['ts-muxrate']
  if (bitrate > room) {
    return `The mux rate of ${muxRate} bit/s has room for ${room} kbit/s of video beside the audio; video is encoded with that instead of ${bitrate} kbit/s.`
  }
  return `The mux rate of ${muxRate} bit/s has room for ${room} kbit/s of video beside the audio; vbv-maxrate is held to that instead of ${maxrate} kbit/s.`
}

function interlacedLevel(config: EncoderConfig): EffectiveConfig {
  const { level } = config['video-stream']
  const interlaced = rasterOf(config['video-format']).scan === 'interlaced'
  if (!interlaced || LEVELS.indexOf(level) <= LEVELS.indexOf(HIGHEST_INTERLACED_LEVEL)) {
    return unchanged(config)
  }
  return {
    config: withVideo(config, { level: HIGHEST_INTERLACED_LEVEL }),
    warnings: [
      `Level ${level} does not allow interlaced pictures; level ${HIGHEST_INTERLACED_LEVEL} is used.`,
    ],
  }
}

/** A recovery by columns works with one reference only; x264 sets it so. */
function references(config: EncoderConfig): EffectiveConfig {
  const video = config['video-stream']
  if (video['intra-refresh'] === 0 || video['max-refs'] === 1) return unchanged(config)
  return {
    config: withVideo(config, { 'max-refs': 1 }),
    warnings: ['Intra refresh works with one reference frame; max-refs 1 is used.'],
  }
}

/** ffmpeg's muxer always puts the PCR on the video PID (dataplane.md 2.1). */
function pcrPid(config: EncoderConfig): EffectiveConfig {
  const { pid } = config['video-stream']
  const asked = config.muxer['pcr-pid']
  if (asked === pid) return unchanged(config)
  return {
    config: { ...config, muxer: { ...config.muxer, 'pcr-pid': pid } },
    warnings: [`The PCR is sent on the video PID ${pid}, not on a PID of its own (${asked}).`],
  }
}

/** Without a constant mux rate ffmpeg's muxer puts a PCR only where a picture begins. */
function pcrPeriod(config: EncoderConfig): EffectiveConfig {
  const { cbr, 'pcr-period': askedMs } = config.muxer
  const { numerator, denominator } = rasterOf(config['video-format']).frameRate
  const pictureMs = (1000 * denominator) / numerator
  const keptMs = Math.ceil(askedMs / pictureMs) * pictureMs
  if (cbr === 1 || keptMs === askedMs) return unchanged(config)
  return {
    config,
    warnings: [
      `Without a constant mux rate the PCR is sent with the pictures: every ${Math.round(keptMs)} ms, not every ${askedMs} ms.`,
    ],
  }
}

/** The muxer writes no PSIP. */
function tables(config: EncoderConfig): EffectiveConfig {
  const asked = config.muxer['ts-type']
  if (asked === 'generic' || asked === 'dvb') return unchanged(config)
  return {
    config: { ...config, muxer: { ...config.muxer, 'ts-type': 'generic' } },
    warnings: [`The tables of ts-type ${asked} cannot be written; generic is used.`],
  }
}

function highEfficiencyAac(config: EncoderConfig, encoders: readonly string[]): EffectiveConfig {
  const audio = config['audio-stream']
  const [lowComplexity] = AAC_PROFILES
  if (audio.format !== 'aac' || audio['aac-profile'] === lowComplexity) return unchanged(config)
  if (encoders.includes('libfdk_aac')) return unchanged(config)
  return {
    config: { ...config, 'audio-stream': { ...audio, 'aac-profile': lowComplexity } },
    warnings: [
      `This host has no encoder for ${audio['aac-profile']} (libfdk_aac); ${lowComplexity} is used.`,
    ],
  }
}

function withVideo(
  config: EncoderConfig,
  change: Partial<EncoderConfig['video-stream']>,
): EncoderConfig {
  return { ...config, 'video-stream': { ...config['video-stream'], ...change } }
}

function unchanged(config: EncoderConfig): EffectiveConfig {
  return { config, warnings: [] }
}
