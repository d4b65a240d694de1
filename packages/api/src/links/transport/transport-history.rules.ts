/** How minutes that hosts have counted become steps that are kept. Pure: who asks knows the time. */
import {
  FAULTS_OF_SPAN,
  joinAlike,
  joinSpans,
  SPANS_OF_HOUR,
  SPANS_OF_MINUTE,
} from '@trunkline/contract/fleet/transport-history.rules'
import type {
  ErrorSpan,
  TransportFigures,
  TransportMinute,
} from '@trunkline/contract/fleet/transport-history.schema'

export const MINUTE_S = 60
export const HOUR_S = 3600

/** What was counted of one link within one step. */
export interface TransportSample extends TransportFigures {
  programId: string
  stepS: number
  /** Seconds since 1970, where the step begins. */
  atS: number
  errors: readonly ErrorSpan[]
}

/** Of one minute. Sums of a column stay below 2^31. */
export const MOST_OF_STEP = 1_000_000_000
const MOST_GAP_MS = 3_600_000
/** A window counts in the minute in which it ends. */
const MOST_LOOKED_MS = 65_000
/** A host keeps its minutes for an hour. */
const OLDEST_MS = 2 * 3_600_000
const NEWEST_MS = 60_000

/**
 * The minute and the hour that it belongs to, by our clock; none for a time that no honest host
 * reports now.
 *
 * @param offsetMs our clock minus the host's
 */
export function samplesOf(
  minute: TransportMinute,
  offsetMs: number,
  nowMs: number,
): TransportSample[] {
  const { programId } = minute
  // To the nearest: clocks that differ by a moment begin their minutes a moment apart.
  const atS = Math.round((minute.atMs + offsetMs) / 1000 / MINUTE_S) * MINUTE_S
  if (atS * 1000 < nowMs - OLDEST_MS || atS * 1000 > nowMs + NEWEST_MS) return []
  const figures = keptFigures(minute)
  const errors = minute.errors.map((span) => keptSpan(span, offsetMs))
  const hourS = Math.floor(atS / HOUR_S) * HOUR_S
  return [
    { ...figures, programId, stepS: MINUTE_S, atS, errors },
    { ...figures, programId, stepS: HOUR_S, atS: hourS, errors },
  ]
}

/** Of each step one: those of the same are added up. In the order of their keys. */
export function summedSamples(samples: readonly TransportSample[]): TransportSample[] {
  const byKey = Map.groupBy(samples, ({ programId, stepS, atS }) => `${programId} ${stepS} ${atS}`)
  return [...byKey]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, same]) => {
      const [first, ...others] = same
      return first === undefined ? [] : [others.reduce(summed, first)]
    })
}

/** All of them, as many as such a step keeps. */
export function joinedErrors(errors: readonly ErrorSpan[], stepS: number): ErrorSpan[] {
  return stepS === HOUR_S
    ? joinSpans(joinAlike(errors), SPANS_OF_HOUR)
    : joinSpans(errors, SPANS_OF_MINUTE)
}

function summed(a: TransportSample, b: TransportSample): TransportSample {
  const most = (x: number | null, y: number | null) =>
    x === null || y === null ? (x ?? y) : Math.max(x, y)
  return {
    ...a,
    lookedMs: a.lookedMs + b.lookedMs,
    followedMs: a.followedMs + b.followedMs,
    continuityErrors: whole(a.continuityErrors + b.continuityErrors),
    syncLosses: whole(a.syncLosses + b.syncLosses),
    transportErrors: whole(a.transportErrors + b.transportErrors),
    crcErrors: whole(a.crcErrors + b.crcErrors),
    scrambledPackets: whole(a.scrambledPackets + b.scrambledPackets),
    patGapMs: most(a.patGapMs, b.patGapMs),
    pmtGapMs: most(a.pmtGapMs, b.pmtGapMs),
    pcrIntervalMs: most(a.pcrIntervalMs, b.pcrIntervalMs),
    pcrJitterMs: most(a.pcrJitterMs, b.pcrJitterMs),
    errors: joinedErrors([...a.errors, ...b.errors], a.stepS),
  }
}

/** A host may say anything. */
function keptFigures(minute: TransportMinute): TransportFigures {
  const lookedMs = within(Math.round(minute.lookedMs), MOST_LOOKED_MS)
  return {
    lookedMs,
    followedMs: within(Math.round(minute.followedMs), lookedMs),
    continuityErrors: whole(minute.continuityErrors),
    syncLosses: whole(minute.syncLosses),
    transportErrors: whole(minute.transportErrors),
    crcErrors: whole(minute.crcErrors),
    scrambledPackets: whole(minute.scrambledPackets),
    patGapMs: gap(minute.patGapMs),
    pmtGapMs: gap(minute.pmtGapMs),
    pcrIntervalMs: gap(minute.pcrIntervalMs),
    pcrJitterMs: gap(minute.pcrJitterMs),
  }
}

function keptSpan(span: ErrorSpan, offsetMs: number): ErrorSpan {
  const { fromMs, toMs, lookedMs, everyMs, faults } = span
  const lengthMs = within(Math.round(toMs - fromMs), MOST_LOOKED_MS)
  const atMs = Math.round(fromMs + offsetMs)
  return {
    fromMs: atMs,
    toMs: atMs + lengthMs,
    lookedMs: within(Math.round(lookedMs), lengthMs),
    everyMs: gap(everyMs),
    faults: faults.slice(0, FAULTS_OF_SPAN).map(({ kind, pid, count, longestMs }) => ({
      kind,
      pid,
      count: count === null ? null : whole(count),
      longestMs: gap(longestMs),
    })),
  }
}

function gap(valueMs: number | null): number | null {
  return valueMs === null ? null : within(valueMs, MOST_GAP_MS)
}

function whole(value: number): number {
  return Math.round(within(value, MOST_OF_STEP))
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value))
}
