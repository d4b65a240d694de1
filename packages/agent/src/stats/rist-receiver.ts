/** A receiver's statistics: one line for the flow, with a peer for each path. Pure. */
import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import { withSample, type Counted, type RistLink } from './rist-count.ts'
import type { ReceiverFlow } from './rist-line.ts'
import {
  afterReceiving,
  afterShortfall,
  newPath,
  NO_SHORTFALL,
  silentPath,
  type Shortfall,
} from './rist-paths.ts'

/** As many as a reading may tell of; further callers are part of the stream, and no path of their own. */
const MOST_PATHS = 8

export function afterReceived(
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
