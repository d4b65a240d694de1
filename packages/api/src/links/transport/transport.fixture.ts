/** For tests: minutes as hosts count them. */
import type { ErrorSpan, TransportMinute } from '@trunkline/contract/fleet/transport-history.schema'

/** Two samples, and nothing wrong in them. */
export function testMinute(
  programId: string,
  atMs: number,
  more: Partial<TransportMinute> = {},
): TransportMinute {
  return {
    programId,
    atMs,
    lookedMs: 4000,
    followedMs: 0,
    continuityErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    scrambledPackets: 0,
    patGapMs: 101.3,
    pmtGapMs: 102.5,
    pcrIntervalMs: 38,
    pcrJitterMs: 1.5,
    errors: [],
    ...more,
  }
}

/** Of one sample that began then: so many continuity errors on PID 256. */
export function testSpan(fromMs: number, count: number): ErrorSpan {
  return {
    fromMs,
    toMs: fromMs + 2000,
    lookedMs: 2000,
    everyMs: 30_000,
    faults: [{ kind: 'continuity', pid: 256, count, longestMs: null }],
  }
}
