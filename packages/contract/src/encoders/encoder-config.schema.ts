/** An encoder's configuration, with the wire's own key names (CFG-07 to CFG-11). Rates are kbit/s, the mux rate bit/s. */
import { z } from 'zod'
import { AdvancedParameters, KeyBits } from '../contributions/link.schema.ts'
import {
  HostName,
  Id,
  Ipv4,
  numberChoice,
  Passphrase,
  Port,
  RemotePort,
  Title,
  unlessEmpty,
  wholeNumber,
  wholeNumberIn,
} from '../text.schema.ts'
import { VIDEO_FORMATS } from './video-format.rules.ts'

/** CONST-16. */
const ENCODER_NAME_PREFIX = 'encoder'

/** Q84: PIDs the muxer takes without clashing with the reserved ones. */
const Pid = wholeNumber(32, 8186, 'must be a PID between 32 and 8186.')
const VideoKbps = wholeNumberIn(100, 100_000, 'kbit/s')
const Flag = z
  .union([z.boolean(), numberChoice([0, 1], '')], 'must be on (1) or off (0).')
  .transform((flag): 0 | 1 => (flag ? 1 : 0))

export const LEVELS = ['3.0', '3.1', '3.2', '4.0', '4.1', '4.2', '5.0', '5.1'] as const
export const ASPECT_RATIOS = ['16:9', '4:3', '4:9'] as const
export const MP2_MODES = ['stereo', 'joint-stereo', 'dual-channel'] as const
export const AUDIO_TYPES = [
  'undefined',
  'clean-effects',
  'hearing-impaired',
  'visual-impaired',
] as const
export const AAC_PROFILES = ['aac-lc', 'he-aac-v1', 'he-aac-v2'] as const
export const AAC_ENCAPS = ['adts', 'latm'] as const
export const TS_TYPES = ['generic', 'dvb', 'cablelabs', 'atsc'] as const

export const VideoStream = z.strictObject({
  format: z.literal('avc'),
  bitrate: VideoKbps,
  keyint: wholeNumber(1, 600, 'must be 1 to 600 frames.'),
  'vbv-bufsize': VideoKbps,
  'vbv-maxrate': VideoKbps,
  profile: z.enum(['main', 'high']),
  level: z.enum(LEVELS),
  'aspect-ratio': z.enum(ASPECT_RATIOS),
  width: wholeNumber(720, 1920, 'must be one of the widths of the video format.'),
  threads: wholeNumber(1, 64, 'must be 1 to 64 threads.'),
  pid: Pid,
  'max-refs': wholeNumber(1, 16, 'must be 1 to 16 frames.'),
  'intra-refresh': Flag,
})

const audioCommon = {
  bitrate: wholeNumberIn(32, 384, 'kbit/s'),
  lang: z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters such as eng.'),
  pid: Pid,
}
export const AudioStream = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('mp2'),
    ...audioCommon,
    'mp2-mode': z.enum(MP2_MODES),
    'audio-type': z.enum(AUDIO_TYPES),
  }),
  z.strictObject({
    format: z.literal('aac'),
    ...audioCommon,
    'aac-profile': z.enum(AAC_PROFILES),
    'aac-encap': z.enum(AAC_ENCAPS),
  }),
])

export const Muxer = z.strictObject({
  'ts-type': z.enum(TS_TYPES),
  'ts-id': wholeNumberIn(1, 65535, ''),
  'pmt-pid': Pid,
  /** Equals the video PID: the muxer has no PCR PID of its own (dataplane.md 2.1). */
  'pcr-pid': Pid,
  'pcr-period': wholeNumberIn(10, 100, 'ms'),
  /** Shown as 100, never stored (CFG-23). */
  'pmt-period': z.unknown().optional(),
  'program-num': wholeNumberIn(1, 65535, ''),
  'ts-muxrate': wholeNumberIn(200_000, 200_000_000, 'bit/s'),
  cbr: Flag,
})

/** CFG-11: `udp://IP:PORT?ttl=N` or `rtp://…`, nothing else in it, each number written in one way. */
const TARGET = /^(udp|rtp):\/\/([0-9.]+):([1-9]\d{3,4})(?:\?ttl=(0|[1-9]\d{0,2}))?$/
export interface OutputTarget {
  type: 'udp' | 'rtp'
  host: string
  port: number
  ttl: number
}

const TargetParts = z.object({ host: Ipv4, port: Port, ttl: wholeNumber(0, 255, '') })

/** Null when the text is no such target. */
export function parseTarget(target: string): OutputTarget | null {
  const match = TARGET.exec(target)
  if (!match) return null
  const [, type, host, port, ttl] = match
  const checked = TargetParts.safeParse({ host, port, ttl: ttl ?? DEFAULT_TTL })
  return checked.success ? { type: type as 'udp' | 'rtp', ...checked.data } : null
}

export function formatTarget(target: OutputTarget): string {
  return `${target.type}://${target.host}:${target.port}?ttl=${target.ttl}`
}

/** CONST-12. */
export const DEFAULT_TTL = 12

export const EncoderOutput = z
  .strictObject({
    type: z.enum(['udp', 'rtp']),
    target: z
      .string()
      .max(80)
      .refine(
        (text) => parseTarget(text) !== null,
        'must look like udp://IP:PORT?ttl=12, port 1024 to 65535.',
      ),
  })
  .refine((output) => output.target.startsWith(`${output.type}://`), {
    path: ['target'],
    message: 'must start with the protocol chosen beside it.',
  })

const MaxBandwidthBytes = wholeNumber(0, 1_250_000_000, 'must be 0 (no cap) to 1250000000 bytes/s.')

/** 'host:port' in one piece. */
function address(host: z.ZodType<string>, port: z.ZodType<number>, sentence: string) {
  return z
    .string()
    .max(260, sentence)
    .regex(/^[A-Za-z0-9.-]+:[1-9]\d{0,4}$/, sentence)
    .refine((text) => {
      const [name, digits] = text.split(':')
      return host.safeParse(name).success && port.safeParse(digits).success
    }, sentence)
}

export const FeederInput = z.strictObject({
  title: Title,
  type: z.literal('udp').default('udp'),
  /** 'ip:port'; the port is derived from it and kept equal (Q101). */
  addr: address(Ipv4, Port, 'must be IP:PORT, such as 127.0.0.1:5000.'),
  port: Port,
  multicast: z.union([z.literal(''), Ipv4]).default(''),
  max_bw: unlessEmpty(MaxBandwidthBytes.default(625_000)),
})

export const FeederOutput = z.strictObject({
  type: z.literal('srt').default('srt'),
  addr: address(HostName, RemotePort, 'must be HOST:PORT, such as 192.0.2.10:6000.'),
  port: RemotePort,
  latency: unlessEmpty(wholeNumberIn(20, 30_000, 'ms').default(3000)),
  adv_params: AdvancedParameters.default([]),
  max_bw: unlessEmpty(MaxBandwidthBytes.default(625_000)),
  /** Write-only: empty in every reply, see `passphraseSet`; empty on save keeps the stored one. */
  passphrase: z.union([z.literal(''), Passphrase]).default(''),
  passphraseSet: z.boolean().optional(),
  pbkeylen: unlessEmpty(KeyBits.default(128)),
})

export const Feeder = z.strictObject({
  /** Random id, kept on edit (FEED-26). */
  name: Id,
  serverId: Id,
  input: FeederInput,
  output: z.array(FeederOutput).length(1, 'must hold exactly one target.'),
})
export type Feeder = z.output<typeof Feeder>

export const EncoderConfig = z.strictObject({
  /** 'encoder' and the card index (CFG-06). */
  name: z.string().max(20).optional(),
  title: Title,
  'card-idx': wholeNumber(0, 63, 'must be a card index between 0 and 63.'),
  'video-format': z.enum(VIDEO_FORMATS),
  'video-stream': VideoStream,
  'audio-stream': AudioStream,
  muxer: Muxer,
  output: z.array(EncoderOutput).min(1, 'must hold at least one output.').max(16),
  feeder: z.array(Feeder).max(64).default([]),
})
export type EncoderConfig = z.output<typeof EncoderConfig>

export function configName(cardIdx: number): string {
  return `${ENCODER_NAME_PREFIX}${cardIdx}`
}
