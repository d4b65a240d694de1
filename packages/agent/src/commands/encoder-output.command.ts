/** The transport stream of an encoder, and where it is sent. */
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import {
  parseTarget,
  type EncoderConfig,
  type OutputTarget,
} from '@trunkline/contract/encoders/encoder-config.schema'
import { isMulticast } from '@trunkline/contract/text.schema'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { HostFacts } from './host-facts.ts'
import { DATAGRAM_BYTES, ffmpegAdapter, meetingPoint } from './local-leg.command.ts'
import { options } from './option.command.ts'
import { CommandRefused } from './refused.ts'

/**
 * UDP is paced a little above the mux rate. Exactly at it, any excess piles up in the sender's
 * buffer for good; without pacing, frames leave in bursts (dataplane.md 2.3).
 */
const PACE_OVER_MUX_RATE = 1.02
/**
 * What the sender's buffer holds of any mux rate. A stalled encoder catches up into it, and is late
 * by what lies there from then on; beyond it, ffmpeg gives up. Its own buffer of 28,672 packets is
 * 23 s of a mux of 1.85 Mbit/s and 2 s of one of 20.
 */
const SEND_BUFFER_SECONDS = 8
const TS_PACKET_BITS = 188 * 8
/** CFG-15: applied, not chosen. PAT and PMT alike. */
const TABLE_PERIOD_SECONDS = '0.1'
/** Room for the pacing to smooth a key frame: the picture waits this long before it is due. */
const MUX_DELAY_SECONDS = 0.7
const MUX_PRELOAD_SECONDS = 0.2
const RTP_HEADER_BYTES = 12
/** Name and provider share a descriptor of 255 bytes (EN 300 468, 6.2.33), which ffmpeg overruns. */
const SERVICE_NAME_BYTES = 200

interface Target extends OutputTarget {
  /** Added to the address of a leg of the local bus. */
  adapter: string
}

export function outputArgs(
  config: EncoderConfig,
  feederLegs: readonly LocalLeg[],
  facts: HostFacts,
): { args: string[]; warnings: string[] } {
  const targets = targetsOf(config, feederLegs, facts)
  const hasRtp = targets.some((target) => target.type === 'rtp')
  return {
    args: [...streamArgs(config), ...sinkArgs(config, targets)],
    warnings: hasRtp ? [RTP_WARNING] : [],
  }
}

const RTP_WARNING =
  'RTP outputs carry no audio language and leave in bursts of up to 200 ms. Use UDP where that matters.'

/** Output targets, then the feeders that no output reaches yet. */
function targetsOf(
  config: EncoderConfig,
  feederLegs: readonly LocalLeg[],
  facts: HostFacts,
): Target[] {
  const targets: Target[] = config.output.map((output) => {
    const target = parseTarget(output.target)
    if (!target) throw new CommandRefused(`'${output.target}' is not an output target.`)
    return { ...target, adapter: '' }
  })
  for (const leg of feederLegs.map((feederLeg) => meetingPoint(feederLeg, facts))) {
    if (targets.some((target) => reaches(target, leg))) continue
    const { ip: host, port, ttl } = leg
    targets.push({ type: 'udp', host, port, ttl, adapter: ffmpegAdapter(leg) })
  }
  return targets
}

/** A group that an output sends to leaves by the default route; the local bus is another network. */
function reaches(target: Target, leg: LocalLeg): boolean {
  if (target.type !== 'udp' || target.host !== leg.ip || target.port !== leg.port) return false
  return !isMulticast(leg.ip) || target.adapter !== ''
}

function streamArgs(config: EncoderConfig): string[] {
  const { 'video-stream': video, 'audio-stream': audio } = config
  return [
    ...options({ streamid: `0:${video.pid}` }),
    ...options({ streamid: `1:${audio.pid}` }),
    ...options({ metadata: `service_name=${serviceName(config)}` }),
    ...options({ metadata: `service_provider=${PRODUCT_NAME}` }),
  ]
}

/** As receivers list the program: the title, cut after a whole character where it is too long. */
function serviceName({ title }: EncoderConfig): string {
  let name = ''
  for (const character of title) {
    if (Buffer.byteLength(name + character) > SERVICE_NAME_BYTES) break
    name += character
  }
  return name
}

function muxOptions(config: EncoderConfig): Record<string, string | number> {
  const { muxer } = config
  return {
    mpegts_transport_stream_id: muxer['ts-id'],
    mpegts_service_id: muxer['program-num'],
    mpegts_pmt_start_pid: muxer['pmt-pid'],
    mpegts_flags: muxFlags(config),
    pcr_period: muxer['pcr-period'],
    pat_period: TABLE_PERIOD_SECONDS,
    ...(muxer.cbr === 1 ? { muxrate: muxer['ts-muxrate'] } : {}),
    flush_packets: 1,
  }
}

function muxFlags(config: EncoderConfig): string {
  const { 'audio-stream': audio, muxer } = config
  const latm = audio.format === 'aac' && audio['aac-encap'] === 'latm'
  return `+initial_discontinuity${muxer['ts-type'] === 'dvb' ? '+system_b+nit' : ''}${latm ? '+latm' : ''}`
}

/** One UDP target is written directly; several, or RTP, by ffmpeg's tee. */
function sinkArgs(config: EncoderConfig, targets: readonly Target[]): string[] {
  const [only] = targets
  if (targets.length === 1 && only?.type === 'udp') {
    const delays = { muxdelay: MUX_DELAY_SECONDS, muxpreload: MUX_PRELOAD_SECONDS }
    return [...options({ f: 'mpegts', ...muxOptions(config), ...delays }), udpUrl(only, config)]
  }
  return ['-f', 'tee', targets.map((target) => teeBranch(target, config)).join('|')]
}

/** A branch that fails is left out, the others go on. Each needs a delay of its own. */
function teeBranch(target: Target, config: EncoderConfig): string {
  const mux = { ...muxOptions(config), max_delay: MUX_DELAY_SECONDS * 1_000_000 }
  const settings = Object.entries(mux).map(([name, value]) => `${name}=${value}`)
  if (target.type === 'udp') {
    return `[f=mpegts:${settings.join(':')}:onfail=ignore]${udpUrl(target, config)}`
  }
  const inner = settings.join(String.raw`\:`)
  return `[f=rtp_mpegts:mpegts_muxer_options='${inner}':onfail=ignore]${rtpUrl(target)}`
}

function udpUrl(target: Target, config: EncoderConfig): string {
  const { host, port, ttl, adapter } = target
  const paced = config.muxer.cbr === 1 ? pacing(config.muxer['ts-muxrate']) : ''
  return `udp://${host}:${port}?ttl=${ttl}&pkt_size=${DATAGRAM_BYTES}${paced}${adapter}`
}

function pacing(muxRateBps: number): string {
  const paceBps = Math.round(muxRateBps * PACE_OVER_MUX_RATE)
  const packets = Math.ceil((muxRateBps * SEND_BUFFER_SECONDS) / TS_PACKET_BITS)
  return `&bitrate=${paceBps}&burst_bits=${DATAGRAM_BYTES * 8}&fifo_size=${packets}`
}

function rtpUrl({ host, port, ttl }: Target): string {
  return `rtp://${host}:${port}?ttl=${ttl}&pkt_size=${DATAGRAM_BYTES + RTP_HEADER_BYTES}`
}
