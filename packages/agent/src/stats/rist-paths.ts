/** What each path of a RIST link with two of them carries, and what would be missing without it. Pure. */
import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import type { ReceiverPeer, SenderPeer } from './rist-line.ts'

export function newPath(address: string): PathReading {
  return {
    address,
    isAlive: false,
    silentSinceMs: null,
    bitrateKbps: 0,
    rttMs: null,
    packets: 0,
    retransmittedPackets: null,
    savedPackets: 0,
  }
}

export function silentPath(path: PathReading, atMs: number): PathReading {
  const silentSinceMs = path.silentSinceMs ?? atMs
  return { ...path, isAlive: false, silentSinceMs, bitrateKbps: 0, rttMs: null }
}

/**
 * A line of the peer that the data goes to, `sent` being payload alone. What is sent while the other
 * path is known to be silent is saved by this one; more a sender cannot know.
 */
export function afterSending(
  path: PathReading,
  others: readonly PathReading[],
  { stats }: SenderPeer,
): PathReading {
  const isAlone = others.every((other) => other.silentSinceMs !== null)
  return {
    ...path,
    // The tool's rate falls slowly when nothing comes, and counts control packets.
    bitrateKbps: stats.sent === 0 ? 0 : Math.round(stats.bandwidth / 1000),
    rttMs: stats.rtt,
    packets: path.packets + stats.sent,
    retransmittedPackets: (path.retransmittedPackets ?? 0) + stats.retransmitted,
    savedPackets: path.savedPackets + (isAlone && path.isAlive ? stats.sent : 0),
  }
}

/** An answer of the far end, control packets alone, is what makes a path alive. */
export function afterAnswer(path: PathReading, { stats }: SenderPeer, atMs: number): PathReading {
  if (stats.received > 0) return { ...path, isAlive: true, silentSinceMs: null }
  // The first line comes before an answer can; it has no rate yet.
  return stats.bandwidth > 0 ? silentPath(path, atMs) : path
}

export function afterReceiving(path: PathReading, peer: ReceiverPeer, atMs: number): PathReading {
  const { stats } = peer
  const counted = { ...path, packets: path.packets + stats.received_data }
  if (peer.dead !== 0) return silentPath(counted, atMs)
  return {
    ...counted,
    isAlive: true,
    silentSinceMs: null,
    // The tool keeps the last rate when nothing comes.
    bitrateKbps: stats.received_data === 0 ? 0 : Math.round(stats.bitrate / 1000),
    rttMs: stats.rtt,
  }
}

/** Of one path: what the others did not bring at the line before, and what of that is no saving. */
export interface Shortfall {
  before: number | null
  offset: number | null
}

export const NO_SHORTFALL: Shortfall = { before: null, offset: null }

/**
 * The stream's packets less those that the other path brought. A slower path always lags some behind:
 * what it lacks at the second line is taken for that. Of two lines the smaller one counts, because
 * a line may fall between a packet and its copy.
 */
export function afterShortfall(
  path: PathReading,
  { before, offset }: Shortfall,
  shortPackets: number,
): { path: PathReading; shortfall: Shortfall } {
  if (before === null) return { path, shortfall: { before: shortPackets, offset } }
  const lag = offset ?? Math.max(before, shortPackets) - path.savedPackets
  const saved = Math.min(before, shortPackets) - lag
  return {
    path: { ...path, savedPackets: Math.max(path.savedPackets, saved) },
    shortfall: { before: shortPackets, offset: lag },
  }
}

const NAMES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** An operator's sentence about a link of which some paths are silent and others live; '' otherwise. */
export function pathTrouble(reading: LinkReading | null): string {
  const paths = reading?.paths ?? []
  const silent = paths.findIndex((path) => path.silentSinceMs !== null)
  if (silent < 0 || !paths.some((path) => path.isAlive)) return ''
  const address = paths[silent]?.address ?? ''
  const place = address === '' ? '' : ` (${address})`
  return `The ${NAMES[silent] ?? 'other'} path${place} is silent.`
}
