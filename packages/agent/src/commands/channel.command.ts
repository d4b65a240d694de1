/**
 * The programs of one stream of the channel server: an ingest and a packager per input, and one
 * program per push. They meet on legs of the local bus, so that each can be stopped without the others.
 */
import type { Leg, LocalLeg } from '@trunkline/contract/agent/program.messages'
import { isMulticast } from '@trunkline/contract/text.schema'
import { hlsOutput, passedOn, together, type Packaging } from './hls-output.command.ts'
import type { HostFacts } from './host-facts.ts'
import {
  ffmpegReadUrl,
  ffmpegWriteUrl,
  LOOPBACK_IP,
  meetingPoint,
  RECEIVE_BUFFER_BYTES,
  srtReadUrl,
  srtWriteUrl,
} from './local-leg.command.ts'
import { options } from './option.command.ts'
import { ownAdapter } from './outer-leg.command.ts'
import { ristReceiver, ristSender } from './rist.command.ts'
import { CommandRefused } from './refused.ts'
import { srtReceiver, srtSender } from './srt.command.ts'
import type { BuiltUnit, Unit } from './unit.ts'

export type { Packaging, Rung } from './hls-output.command.ts'

/** A UDP end outside of us: an address of ours or a group to read, or where to send. */
export interface UdpEnd {
  kind: 'udp'
  host: string
  port: number
  /** '' reads and sends on the loopback interface for groups, by the route otherwise. */
  adapterIp: string
  ttl: number
}
interface LinkEnd {
  kind: 'link'
  leg: Leg
}
/** A stream that is fetched from a web server. */
export interface HttpEnd {
  kind: 'http'
  /** `http://` or `https://`, of a checked alphabet. */
  url: string
  secrets: readonly string[]
}
export type IngestSource = LinkEnd | UdpEnd | HttpEnd
export type PushTarget = LinkEnd | UdpEnd | { kind: 'rtmp'; url: string; secret: string }

/** Enough for a key frame of any of our formats; less lost the codec parameters of 1080i50. */
const PROBE_BYTES = 5_000_000
const PROBE_MICROSECONDS = 3_000_000
/** Twice a second: by it the agent judges which input makes pictures. */
const PACKAGER_PERIOD_SECONDS = 0.5
const FAR_END_PERIOD_SECONDS = 1
/** A web server or a receiver that neither takes nor gives anything is left, and tried again. */
const FAR_END_SILENCE_MICROSECONDS = 10_000_000

/** Receives one input of a stream and feeds its leg; the standby inputs run too. */
export function ingestUnit(source: IngestSource, to: LocalLeg, facts: HostFacts): BuiltUnit {
  if (source.kind === 'http') return fetchUnit(source, meetingPoint(to, facts), facts)
  if (source.kind === 'udp') {
    return relayUnit(udpReadUrl(source, facts), srtWriteUrl(meetingPoint(to, facts)))
  }
  return source.leg.protocol === 'srt'
    ? srtReceiver(to, source.leg, facts)
    : ristReceiver(to, source.leg, facts)
}

/** Sends a stream on, from the leg of its current input. */
export function pushUnit(target: PushTarget, from: LocalLeg, facts: HostFacts): BuiltUnit {
  if (target.kind === 'rtmp') return rtmpUnit(target, from, facts)
  if (target.kind === 'udp') {
    return relayUnit(srtReadUrl(meetingPoint(from, facts)), udpWriteUrl(target, facts))
  }
  return target.leg.protocol === 'srt'
    ? srtSender(from, target.leg, facts)
    : ristSender(from, target.leg, facts)
}

/**
 * HLS in `folder` from the leg of one input. It must outlive gaps in its input: so there is no
 * timeout, and segments are numbered by the clock, since a sequence that goes backwards freezes
 * players (dataplane.md 6.1). Where key frames come seldom, a passed-on picture's segments last longer.
 */
export function hlsUnit(
  from: LocalLeg,
  folder: string,
  packaging: Packaging,
  facts: HostFacts,
): BuiltUnit {
  const args = [
    ...options({ stats_period: PACKAGER_PERIOD_SECONDS, progress: 'pipe:1' }),
    ...readArgs(meetingPoint(from, facts)),
    ...hlsOutput(folder, packaging),
  ]
  return ffmpegUnit(args, { repeat: 'never', direction: 'none', secrets: [] })
}

/**
 * Datagrams of what the server sends, byte for byte: nothing of the stream is lost or made anew, and
 * nothing that the server sends is opened or obeyed. When it ends the connection, a new one begins
 * at a packet's first byte, which a reconnection inside ffmpeg would not.
 */
function fetchUnit({ url, secrets }: HttpEnd, to: LocalLeg, facts: HostFacts): BuiltUnit {
  const args = [
    ...options({
      ...farEndStatistics,
      rw_timeout: FAR_END_SILENCE_MICROSECONDS,
      protocol_whitelist: 'http,https,tcp,tls',
      ...(url.startsWith('https:') ? checkedTls(facts) : {}),
      // A live stream has no place to go back to.
      seekable: 0,
      f: 'data',
      i: url,
    }),
    ...options({ map: 0, c: 'copy' }),
    // Whole datagrams, not one for each read.
    ...options({ flush_packets: 0, f: 'data' }),
    ffmpegWriteUrl(to),
  ]
  return ffmpegUnit(args, { repeat: 'always', direction: 'receive', secrets })
}

const farEndStatistics = { stats_period: FAR_END_PERIOD_SECONDS, progress: 'pipe:1' }

function rtmpUnit(
  target: Extract<PushTarget, { kind: 'rtmp' }>,
  from: LocalLeg,
  facts: HostFacts,
): BuiltUnit {
  const args = [
    ...options(farEndStatistics),
    ...readArgs(meetingPoint(from, facts)),
    ...passedOn(),
    ...options({
      ...together,
      rw_timeout: FAR_END_SILENCE_MICROSECONDS,
      ...(target.url.startsWith('rtmps:') ? checkedTls(facts) : {}),
      f: 'flv',
    }),
    target.url,
  ]
  return ffmpegUnit(args, { repeat: 'always', direction: 'send', secrets: [target.secret] })
}

/** Left to itself ffmpeg takes any certificate, and gives keys and passwords to whoever shows one. */
function checkedTls({ caFile }: HostFacts) {
  return { tls_verify: 1, ...(caFile === '' ? {} : { ca_file: caFile }) }
}

/**
 * The format is named, not guessed: guessing would let a sender pass off a playlist as the stream,
 * and make ffmpeg open what it names.
 */
function readArgs(leg: LocalLeg): string[] {
  return options({
    fflags: '+nobuffer+genpts',
    probesize: PROBE_BYTES,
    analyzeduration: PROBE_MICROSECONDS,
    protocol_whitelist: 'udp',
    f: 'mpegts',
    i: ffmpegReadUrl(leg),
  })
}

function ffmpegUnit(
  args: readonly string[],
  rest: Pick<Unit, 'repeat' | 'direction' | 'secrets'>,
): BuiltUnit {
  const head = ['ffmpeg', '-nostdin', '-hide_banner', '-nostats', '-y']
  return {
    unit: {
      // At 'info' it would name every segment that it opens.
      argv: [...head, ...options({ loglevel: 'level+warning' }), ...args],
      output: 'ffmpeg',
      ...rest,
    },
    warnings: [],
  }
}

/** Datagrams as they are; the tool's UDP ends know nothing of peers and print no statistics. */
function relayUnit(from: string, to: string): BuiltUnit {
  return {
    unit: {
      argv: ['srt-live-transmit', from, to],
      repeat: 'never',
      output: 'srt',
      direction: 'none',
      secrets: [],
    },
    warnings: [],
  }
}

function udpReadUrl({ host, port, adapterIp }: UdpEnd, facts: HostFacts): string {
  if (adapterIp !== '') ownAdapter(adapterIp, facts)
  const adapter = isMulticast(host) ? `adapter=${adapterIp || LOOPBACK_IP}&` : ''
  return `udp://${host}:${port}?${adapter}rcvbuf=${RECEIVE_BUFFER_BYTES}`
}

function udpWriteUrl({ host, port, ttl, adapterIp }: UdpEnd, facts: HostFacts): string {
  if (host === '') throw new CommandRefused('A push needs a host. Write udp://HOST:PORT.')
  if (adapterIp !== '') ownAdapter(adapterIp, facts)
  if (!isMulticast(host)) return `udp://${host}:${port}`
  return `udp://${host}:${port}?ttl=${ttl}${adapterIp === '' ? '' : `&adapter=${adapterIp}`}`
}
