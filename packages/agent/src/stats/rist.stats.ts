/**
 * librist's statistics lines as one reading of the link. A sender prints a line for each peer and a
 * round of lines for each interval, a receiver one line for the flow: the stream is counted once,
 * however many ways it takes or receivers it has, and its rate is that of one of them. Pure.
 */
import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import { addSample, type LinkCount, type LinkSample, NO_LINK_COUNT } from './link-sample.ts'
import { kbpsOf, RATE_WINDOW_MS, withMark, type RateWindow } from './rate-window.ts'
import { parseRistLine, type ReceiverFlow, type RistLine, type SenderPeer } from './rist-line.ts'
import {
  afterAnswer,
  afterReceiving,
  afterSending,
  afterShortfall,
  newPath,
  NO_SHORTFALL,
  silentPath,
  type Shortfall,
} from './rist-paths.ts'

export interface RistLink {
  direction: 'send' | 'receive'
  /** Simple counts two peers for a way, data and control. */
  isSimple: boolean
  /** `host:port` of each way as the settings have them; none unless there are two. */
  addresses: readonly string[]
}

/** Between two lines. What an operator sees is in the reading. */
export interface RistCount {
  /** Sender. */
  round: Round
  /** Receiver: whose packets these are; a caller that starts anew has another one. */
  flowId: number
  /** Receiver: which peer each way is. */
  peerIds: readonly number[]
  shortfalls: readonly Shortfall[]
  /** Where callers call from, by peer. */
  callers: ReadonlyMap<number, string>
  callingId: number
  link: LinkCount
  /** Datagrams in place of bytes: with the tool's own rate they give the size of one. */
  datagrams: RateWindow
  datagramBytes: number
}

/** The lines of one interval: the peers that they name, and the most that one of them got. */
interface Round {
  atMs: number
  peerIds: readonly number[]
  packets: number
  /** That the last line added. */
  newPackets: number
  toolKbps: number
  rttMs: number | null
}

const NO_ROUND: Round = {
  atMs: 0,
  peerIds: [],
  packets: 0,
  newPackets: 0,
  toolKbps: 0,
  rttMs: null,
}
/** As many as a reading may tell of; further callers are part of the stream, and no way of their own. */
const MOST_PATHS = 8
/** Anybody may call a listening port, again and again: the latest are remembered. */
const MOST_CALLERS = 64
/** The lines of a round are written at once. */
const ROUND_MS = 200
const TS_PACKET_BYTES = 188
const MOST_TS_PACKETS = 7
/** Of RIST, GRE, UDP and IP, as the tool's rate counts them for a datagram. */
const HEADER_BYTES = 28
export const NO_RIST_COUNT: RistCount = {
  round: NO_ROUND,
  flowId: 0,
  peerIds: [],
  shortfalls: [],
  callers: new Map(),
  callingId: 0,
  link: NO_LINK_COUNT,
  datagrams: [],
  datagramBytes: TS_PACKET_BYTES * MOST_TS_PACKETS,
}

export interface Counted {
  count: RistCount
  reading: LinkReading | null
}

/** As it was, for a line that tells nothing. */
export function readRistLine(before: Counted, line: string, link: RistLink): Counted {
  const parsed = parseRistLine(line)
  return parsed ? take(before, parsed, link) : before
}

function take(before: Counted, parsed: RistLine, link: RistLink): Counted {
  switch (parsed.kind) {
    case 'sent':
      return link.direction === 'send' ? afterSent(before, parsed, link) : before
    case 'received':
      return link.direction === 'receive' ? afterReceived(before, parsed, link) : before
    case 'silent':
      return { ...before, reading: silenced(before, parsed, link) }
    case 'calling':
      return { ...before, count: { ...before.count, callingId: parsed.peerId } }
    case 'caller': {
      const known = [...before.count.callers, [before.count.callingId, parsed.ip] as const]
      const callers = new Map(known.slice(-MOST_CALLERS))
      return { ...before, count: { ...before.count, callers } }
    }
    default:
      return parsed satisfies never
  }
}

/** Which way a sender's peer is: they are numbered in the order of the settings. */
function pathOf(peerId: number, link: RistLink): number {
  return link.isSimple ? Math.floor((peerId - 1) / 2) : peerId - 1
}

/**
 * Main's 'data' peer counts its control packets and what it sent again among `sent`. The far end
 * answers each control packet, and asks once for each packet that it misses: what it received, less
 * what was sent again, is how many control packets there were (measured: within two a line, 20 a
 * second without a stream). So little more is none.
 */
function payloadOf({ type, stats }: SenderPeer, isSimple: boolean): number {
  if (type === 'rtcp') return 0
  const control = isSimple ? 0 : Math.max(0, stats.received - stats.retransmitted)
  const packets = stats.sent - stats.retransmitted - control
  return packets <= (isSimple ? 0 : Math.max(2, control / 10)) ? 0 : packets
}

function afterSent(
  before: Counted,
  parsed: { atMs: number; peer: SenderPeer },
  link: RistLink,
): Counted {
  const { atMs } = parsed
  const sent = payloadOf(parsed.peer, link.isSimple)
  const peer = { ...parsed.peer, stats: { ...parsed.peer.stats, sent } }
  const paths = sentPaths(before.reading, { atMs, peer }, link)
  // Simple's control packets are none of the stream.
  if (peer.type === 'rtcp') {
    const { reading } = before
    return { ...before, reading: reading && paths ? { ...reading, paths } : reading }
  }
  // To nobody it sends some control packets, which are no stream.
  const isAnswered = link.isSimple || peer.stats.received > 0
  const counts = isAnswered && !isBack(before.reading, peer.id, link)
  const round = afterLine(before, peer, { atMs, counts })
  const withRound = { ...before, count: { ...before.count, round } }
  // The first line makes a reading in any case: a path without an answer is reported too.
  const isReported = counts || before.reading === null
  const after = isReported ? withSample(withRound, streamSample(round, peer, atMs)) : withRound
  const { reading } = after
  if (reading === null) return after
  const resent = isReported ? 0 : peer.stats.retransmitted
  const retransmittedPackets = reading.retransmittedPackets + resent
  return { ...after, reading: { ...reading, retransmittedPackets, ...(paths ? { paths } : {}) } }
}

/** A new round begins where a peer comes a second time, or some time after the line before. */
function afterLine(
  { count }: Counted,
  { id, stats }: SenderPeer,
  { atMs, counts }: { atMs: number; counts: boolean },
): Round {
  const isNext = count.round.peerIds.includes(id) || atMs - count.round.atMs > ROUND_MS
  const round = isNext ? NO_ROUND : count.round
  const peerIds = [...round.peerIds, id]
  if (!counts) return { ...round, atMs, peerIds, newPackets: 0 }
  const packets = Math.max(round.packets, stats.sent)
  return {
    atMs,
    peerIds,
    packets,
    newPackets: packets - round.packets,
    toolKbps: Math.max(round.toolKbps, stats.bandwidth / 1000),
    rttMs: round.rttMs ?? stats.rtt,
  }
}

type RistSample = Omit<LinkSample, 'payloadBytes' | 'protocol'>

/**
 * What is lost a sender cannot know: it counts requests, and what it did not send again may be asked
 * for once more (against a counting relay: 34 for 8, and 0 for 393 that were dropped).
 */
function streamSample(round: Round, { stats }: SenderPeer, atMs: number): RistSample {
  return {
    direction: 'send',
    atMs,
    toolKbps: round.toolKbps,
    rttMs: round.rttMs,
    packets: round.newPackets,
    lostPackets: null,
    retransmittedPackets: stats.retransmitted,
    droppedPackets: null,
    gaveUpPackets: 0,
  }
}

function withSample(
  { count, reading }: Counted,
  sample: RistSample,
): { count: RistCount; reading: LinkReading } {
  const packets = (count.datagrams.at(-1)?.bytes ?? 0) + sample.packets
  const datagrams = withMark(count.datagrams, { atMs: sample.atMs, bytes: packets })
  const datagramBytes = sizeOf(datagrams, sample.toolKbps) ?? count.datagramBytes
  const payloadBytes = sample.packets * datagramBytes
  const added = addSample(count.link, reading, { ...sample, protocol: 'rist', payloadBytes })
  return {
    count: { ...count, link: added.count, datagrams, datagramBytes },
    reading: added.reading,
  }
}

/**
 * The tool counts datagrams and tells a rate, smoothed: both together give the size of a datagram,
 * which is some whole packets of the transport stream. Null until the rate has settled.
 */
function sizeOf(datagrams: RateWindow, toolKbps: number): number | null {
  const spanMs = (datagrams.at(-1)?.atMs ?? 0) - (datagrams[0]?.atMs ?? 0)
  const rate = kbpsOf(datagrams)
  if (rate === null || rate <= 0 || spanMs < RATE_WINDOW_MS / 2) return null
  const packets = Math.round((toolKbps / rate - HEADER_BYTES) / TS_PACKET_BYTES)
  return Math.min(MOST_TS_PACKETS, Math.max(1, packets)) * TS_PACKET_BYTES
}

/** The first line of a way that was silent counts what it sent before that, too. */
function isBack(reading: LinkReading | null, peerId: number, link: RistLink): boolean {
  const paths = reading?.paths ?? []
  const path = paths[pathOf(peerId, link)]
  return path?.isAlive === false && paths.some((other) => other.isAlive)
}

function sentPaths(
  reading: LinkReading | null,
  { atMs, peer }: { atMs: number; peer: SenderPeer },
  link: RistLink,
): PathReading[] | undefined {
  if (link.addresses.length < 2) return undefined
  const paths = link.addresses.map((address, index) => ({
    ...(reading?.paths?.[index] ?? newPath(address)),
    address,
  }))
  const index = pathOf(peer.id, link)
  const path = paths[index]
  if (!path) return paths
  const others = paths.filter((other) => other !== path)
  const answers = peer.type === 'rtcp' || !link.isSimple
  const answered = answers ? afterAnswer(path, peer, atMs) : path
  return paths.with(index, peer.type === 'rtcp' ? answered : afterSending(answered, others, peer))
}

function afterReceived(
  before: Counted,
  { atMs, flow }: { atMs: number; flow: ReceiverFlow },
  link: RistLink,
): Counted {
  const { stats, peers } = flow
  const now = withSample(before, {
    direction: 'receive',
    atMs,
    toolKbps: stats.received === 0 ? 0 : stats.bitrate / 1000,
    rttMs: (peers.find((peer) => peer.dead === 0) ?? peers[0])?.stats.rtt ?? null,
    packets: stats.received,
    lostPackets: stats.missing,
    retransmittedPackets: stats.recovered_total,
    droppedPackets: stats.lost,
    gaveUpPackets: stats.lost,
  })
  const { reading } = now
  // The flow of a caller that is gone is reported for some seconds more.
  const isSameFlow = flow.dead !== 0 || [flow.flow_id, 0].includes(before.count.flowId)
  const paths = isSameFlow ? (before.reading?.paths ?? []) : []
  const count = {
    ...now.count,
    flowId: flow.dead === 0 ? flow.flow_id : before.count.flowId,
    ...(isSameFlow ? {} : { peerIds: [], shortfalls: [] }),
  }
  // Simple's receiver lists one of its data peers only (tried).
  if (link.isSimple || (paths.length === 0 && peers.length < 2)) {
    const { paths: _former, ...alone } = reading
    return { count, reading: alone }
  }
  return withPaths({ count, reading: { ...reading, paths } }, { atMs, flow })
}

type WithPaths = Counted & { reading: LinkReading & { paths: PathReading[] } }

function withPaths(now: WithPaths, parsed: { atMs: number; flow: ReceiverFlow }): Counted {
  const { peers } = parsed.flow
  let paths = now.reading.paths
  let { peerIds } = now.count
  for (const peer of peers) {
    const index = placeOf(peer.id, { peerIds, paths, listed: peers.map((entry) => entry.id) })
    if (index >= MOST_PATHS) continue
    const address = now.count.callers.get(peer.id) ?? paths[index]?.address ?? ''
    const path = { ...(paths[index] ?? newPath(address)), address }
    paths = placed(paths, index, afterReceiving(path, peer, parsed.atMs))
    peerIds = placed(peerIds, index, peer.id)
  }
  const listed = new Set(peers.map((peer) => peer.id))
  paths = paths.map((path, index) =>
    listed.has(peerIds[index] ?? 0) ? path : silentPath(path, parsed.atMs),
  )
  const short = shortfallsOf(now.reading.packets, paths, now.count.shortfalls)
  return {
    count: { ...now.count, peerIds, shortfalls: short.map((entry) => entry.shortfall) },
    reading: { ...now.reading, paths: short.map((entry) => entry.path) },
  }
}

function placed<T>(list: readonly T[], index: number, value: T): T[] {
  return index < list.length ? list.with(index, value) : [...list, value]
}

/**
 * The path of a peer. A peer that comes back after more than five seconds is new to the tool: it
 * takes the place that nobody has; after a start of ours first that of one that was alive.
 */
function placeOf(
  peerId: number,
  known: { peerIds: readonly number[]; paths: readonly PathReading[]; listed: readonly number[] },
): number {
  const own = known.peerIds.indexOf(peerId)
  if (own >= 0) return own
  const free = known.paths.flatMap((path, index) =>
    known.listed.includes(known.peerIds[index] ?? 0) ? [] : [{ path, index }],
  )
  const place = free.find(({ path }) => path.isAlive) ?? free[0]
  return place?.index ?? known.paths.length
}

function shortfallsOf(
  streamPackets: number,
  paths: readonly PathReading[],
  before: readonly Shortfall[],
): { path: PathReading; shortfall: Shortfall }[] {
  return paths.map((path, index) => {
    const others = paths.filter((other) => other !== path).map((other) => other.packets)
    const short = streamPackets - Math.max(0, ...others)
    return afterShortfall(path, before[index] ?? NO_SHORTFALL, short)
  })
}

/** A way is silent from the line that says so, not from the next statistics on. */
function silenced(
  { count, reading }: Counted,
  { atMs, peerId }: { atMs: number; peerId: number },
  link: RistLink,
): LinkReading | null {
  if (!reading?.paths) return reading
  const index = link.direction === 'send' ? pathOf(peerId, link) : count.peerIds.indexOf(peerId)
  const path = reading.paths[index]
  if (!path) return reading
  return { ...reading, paths: reading.paths.with(index, silentPath(path, atMs)) }
}
