/**
 * A sender's statistics: a line for each peer, and a round of lines for each interval. Pure.
 */
import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import {
  NO_ROUND,
  withSample,
  type Counted,
  type RistLink,
  type RistSample,
  type Round,
} from './rist-count.ts'
import type { SenderPeer } from './rist-line.ts'
import { afterAnswer, afterSending, newPath } from './rist-paths.ts'

/** The lines of a round are written at once. */
const ROUND_MS = 200

/** Which path a sender's peer is: they are numbered in the order of the settings. */
export function pathOf(peerId: number, link: RistLink): number {
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

export function afterSent(
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

/** The first line of a path that was silent counts what it sent before that, too. */
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
