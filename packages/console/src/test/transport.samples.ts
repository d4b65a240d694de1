/** Histories of transport streams in tests of the console. */
import type { TransportPoint } from '@trunkline/contract/contributions/transport-history.calls'

/** Nothing was looked at. */
export const NO_TRANSPORT_HISTORY = {
  fromMs: 0,
  toMs: 3_600_000,
  stepMs: 60_000,
  points: [],
  errors: [],
  errorCount: 0,
}

/** A minute of a sampled link in which all was well. */
export function transportPointAt(
  atMs: number,
  parts: Partial<TransportPoint> = {},
): TransportPoint {
  return {
    atMs,
    lookedMs: 4000,
    followedMs: 0,
    continuityErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    scrambledPackets: 0,
    patGapMs: 101.4,
    pmtGapMs: 102.2,
    pcrIntervalMs: 38.1,
    pcrJitterMs: 2.4,
    ...parts,
  }
}
