/** What the history of a transport stream draws and says, from its steps alone. */
import type {
  transportHistory,
  TransportPoint,
} from '@trunkline/contract/contributions/transport-history.calls'
import type { ReplyOf } from '@trunkline/contract/route'

export type TransportHistoryData = ReplyOf<typeof transportHistory>['data']

/** A window of two seconds may count in the step before or after. */
const WHOLE_STEP = 0.9
/** A step comes when it is over, and is asked for once a minute. */
const NEWEST_STEPS = 4

/** How much of the span was looked at, in milliseconds. */
export function lookedMsOf(points: readonly TransportPoint[]): number {
  return points.reduce((all, { lookedMs }) => all + lookedMs, 0)
}

/** Since when the stream is read without gaps, until now; null when it is sampled. */
export function followedSinceMs({ points, stepMs, toMs }: TransportHistoryData): number | null {
  const newest = points.at(-1)
  if (newest === undefined || toMs - newest.atMs > NEWEST_STEPS * stepMs) return null
  let sinceMs: number | null = null
  for (const { atMs, followedMs } of points.toReversed()) {
    const isNext = sinceMs === null || sinceMs - atMs === stepMs
    if (!isNext || followedMs < WHOLE_STEP * stepMs) break
    sinceMs = atMs
  }
  return sinceMs
}

/** Beside continuity errors: lost sync, damaged packets, wrong checksums of tables. */
export function otherErrorsOf(point: TransportPoint): number {
  return point.syncLosses + point.transportErrors + point.crcErrors
}
