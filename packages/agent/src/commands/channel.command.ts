/**
 * The programs of one stream of the channel server: an ingest per input, one packager, and one per
 * push. They meet on legs of the local bus, so that each can be stopped without the others.
 */
import type { Leg, LocalLeg } from '@trunkline/contract/agent/program.messages'
import { isMulticast } from '@trunkline/contract/text.schema'
import type { HostFacts } from './host-facts.ts'
import {
  ffmpegReadUrl,
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
import type { BuiltUnit } from './unit.ts'

/** A UDP end outside of us: an address of ours or a group to read, or where to send. */
export interface UdpEnd {
  kind: 'udp'
  host: string
  port: number
  /** '' reads and sends on the loopback interface for groups, by the route otherwise. */
  adapterIp: string
  ttl: number
}
export interface LinkEnd {
  kind: 'link'
  leg: Leg
}
export type IngestSource = LinkEnd | UdpEnd
export type PushTarget = LinkEnd | UdpEnd | { kind: 'rtmp'; url: string; secret: string }

/** One picture size of a transcoding template. Rates: kbit/s. */
export interface Rung {
  heightLines: number
  videoKbps: number
  audioKbps: number
}

/** How an input is cut into segments. Without rungs the picture is passed on as it came. */
export interface Packaging {
  segmentMs: number
  playlistSegments: number
  rungs: readonly Rung[]
}

/** Segments that stay on disk after they left the playlist: a slow player may still ask for them. */
const SPARE_SEGMENTS = 2
/** Enough for a key frame of any of our formats; less lost the codec parameters of 1080i50. */
const PROBE_BYTES = 5_000_000
const PROBE_MICROSECONDS = 3_000_000
const STATISTICS_PERIOD_SECONDS = 5

/** Receives one input of a stream and feeds its leg; the standby inputs run too. */
export function ingestUnit(source: IngestSource, to: LocalLeg, facts: HostFacts): BuiltUnit {
  if (source.kind === 'udp') {
    return relayUnit(udpReadUrl(source, facts), srtWriteUrl(meetingPoint(to, facts)), 'receive')
  }
  return source.leg.protocol === 'srt'
    ? srtReceiver(to, source.leg, facts)
    : ristReceiver(to, source.leg, facts)
}

/** Sends a stream on, from the leg of its current input. */
export function pushUnit(target: PushTarget, from: LocalLeg, facts: HostFacts): BuiltUnit {
  if (target.kind === 'rtmp') return rtmpUnit(target, from, facts)
  if (target.kind === 'udp') {
    return relayUnit(srtReadUrl(meetingPoint(from, facts)), udpWriteUrl(target, facts), 'send')
  }
  return target.leg.protocol === 'srt'
    ? srtSender(from, target.leg, facts)
    : ristSender(from, target.leg, facts)
}

/**
 * HLS in `folder` from the leg of one input: playlist `v0.m3u8` with segments `v0-….ts`, and with
 * more than one rung `v1.m3u8` and so on. Sound as AAC, which every browser plays. It must outlive gaps in its input: so there is no timeout, and segments are
 * numbered by the clock, since a sequence that goes backwards freezes players (dataplane.md 6.1).
 */
export function hlsUnit(
  from: LocalLeg,
  folder: string,
  packaging: Packaging,
  facts: HostFacts,
): BuiltUnit {
  return ffmpegUnit(
    [
      ...options({ stats_period: STATISTICS_PERIOD_SECONDS, progress: 'pipe:1' }),
      ...readArgs(meetingPoint(from, facts)),
      ...options({
        f: 'hls',
        hls_time: packaging.segmentMs / 1000,
        hls_list_size: packaging.playlistSegments,
        hls_delete_threshold: SPARE_SEGMENTS,
        hls_start_number_source: 'epoch',
        hls_flags:
          'delete_segments+program_date_time+independent_segments+temp_file+omit_endlist+discont_start',
        // A percent sign of the folder's own is no number's place.
        hls_segment_filename: `${folder.replaceAll('%', '%%')}/v0-%05d.ts`,
      }),
      `${folder}/v0.m3u8`,
    ],
    [],
  )
}

function rtmpUnit(
  target: Extract<PushTarget, { kind: 'rtmp' }>,
  from: LocalLeg,
  facts: HostFacts,
): BuiltUnit {
  return ffmpegUnit(
    [...readArgs(meetingPoint(from, facts)), ...options({ f: 'flv' }), target.url],
    [target.secret],
  )
}

/**
 * The format is named, not guessed: guessing would let a sender pass off a playlist as the stream,
 * and make ffmpeg open what it names.
 */
function readArgs(leg: LocalLeg): string[] {
  return [
    ...options({
      fflags: '+nobuffer+genpts',
      probesize: PROBE_BYTES,
      analyzeduration: PROBE_MICROSECONDS,
      protocol_whitelist: 'udp',
      f: 'mpegts',
      i: ffmpegReadUrl(leg),
    }),
    ...options({ map: '0:v:0' }),
    ...options({ map: '0:a:0?' }),
    ...options({ 'c:v': 'copy', 'c:a': 'aac', 'b:a': '128k' }),
  ]
}

function ffmpegUnit(args: readonly string[], secrets: readonly string[]): BuiltUnit {
  const head = ['ffmpeg', '-nostdin', '-hide_banner', '-nostats', '-y']
  return {
    unit: {
      // At 'info' it would name every segment that it opens.
      argv: [...head, ...options({ loglevel: 'level+warning' }), ...args],
      repeat: 'never',
      output: 'ffmpeg',
      direction: 'none',
      secrets,
    },
    warnings: [],
  }
}

/** Datagrams as they are; the tool's UDP ends know nothing of peers and print no statistics. */
function relayUnit(from: string, to: string, direction: 'send' | 'receive'): BuiltUnit {
  return {
    unit: {
      argv: ['srt-live-transmit', from, to],
      repeat: 'never',
      output: 'srt',
      direction,
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
