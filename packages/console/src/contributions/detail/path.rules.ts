/** The ways of a RIST link in one sentence. */
import type { PathReading } from '@trunkline/contract/fleet/reading.schema'
import {
  ALL_CARRY,
  BOTH_CARRY,
  NONE_CARRIES,
  savedPathText,
  silentPathText,
  unansweredPathText,
} from './path.messages.ts'

/** Trouble first; else what the ways have saved; else that all is well. */
export function pathSentence(paths: readonly PathReading[]): string {
  const alive = paths.flatMap((path, index) => (path.isAlive ? [index] : []))
  if (alive.length === 0) return NONE_CARRIES
  const dead = paths.findIndex((path) => !path.isAlive)
  if (dead >= 0) return deadSentence(paths, dead, alive)
  const saved = paths
    .map((path, index) => ({ index, packets: path.savedPackets }))
    .filter(({ packets }) => packets > 0)
  if (saved.length > 0) return savedPathText(saved)
  return paths.length === 2 ? BOTH_CARRY : ALL_CARRY
}

function deadSentence(
  paths: readonly PathReading[],
  dead: number,
  alive: readonly number[],
): string {
  if (paths[dead]?.silentSinceMs === null) return unansweredPathText(dead)
  return silentPathText(dead, alive.length === 1 ? (alive[0] ?? null) : null)
}
