/**
 * Which latency a link needs: RTT times a multiplier that grows with the loss. Source: SRT Deployment
 * Guide (Haivision), table of RTT multipliers for SRT, whose least latencies are those of an RTT of
 * 20 ms; RIST resends in the same way, so that the same figures are used for it.
 */

/** [loss up to, in percent; multiplier]. */
const MULTIPLIERS = [
  [1, 3],
  [3, 4],
  [7, 5],
  [10, 6],
] as const
/** Beyond the table: no latency makes up for such a loss. */
const HIGHEST = 6
export const TABLE_LOSS_PERCENT = 10
/** A shorter RTT counts as this. */
export const LEAST_RTT_MS = 20
/** What a form takes. */
const MOST_LATENCY_MS = 30_000

export function rttMultiplier(lossPercent: number): number {
  return MULTIPLIERS.find(([upTo]) => lossPercent <= upTo)?.[1] ?? HIGHEST
}

/** Rounded up to 10 ms. */
export function neededLatencyMs({ rttMs, lossPercent }: { rttMs: number; lossPercent: number }) {
  const exactMs = Math.max(LEAST_RTT_MS, rttMs) * rttMultiplier(lossPercent)
  return Math.min(MOST_LATENCY_MS, Math.ceil(exactMs / 10) * 10)
}

/** What both ends of a link have set, as far as known, and what they agreed on. */
export interface LatencyEnds {
  protocol: 'srt' | 'rist'
  /** Whether this end receives. */
  isReceiver: boolean
  ownMs: number
  /** Null while it is not known. */
  otherMs: number | null
  /** Of SRT, as the running tool reports it; null while it does not. */
  negotiatedMs: number | null
}

export interface AppliedLatency {
  /** How long a lost packet may still be resent. */
  coverMs: number
  /** What the link adds to the delay on air. */
  delayMs: number
}

/**
 * SRT takes the higher latency of both ends. RIST delays by the buffer of the receiver, and what the
 * sender has dropped from a shorter buffer it cannot resend.
 */
export function appliedLatency(ends: LatencyEnds): AppliedLatency {
  const { ownMs } = ends
  const otherMs = ends.otherMs ?? ownMs
  if (ends.protocol === 'srt') {
    const ms = ends.negotiatedMs ?? Math.max(ownMs, otherMs)
    return { coverMs: ms, delayMs: ms }
  }
  return { coverMs: Math.min(ownMs, otherMs), delayMs: ends.isReceiver ? ownMs : otherMs }
}

export const LATENCY_VERDICTS = ['low', 'right', 'high'] as const
export type LatencyVerdict = (typeof LATENCY_VERDICTS)[number]

/** Less than this above what is needed is not worth an interruption. */
const HIGH_FACTOR = 2
const HIGH_MS = 200

export function latencyVerdict(
  { coverMs, delayMs }: AppliedLatency,
  neededMs: number,
): LatencyVerdict {
  if (coverMs < neededMs) return 'low'
  const isHigh = delayMs >= neededMs * HIGH_FACTOR && delayMs - neededMs >= HIGH_MS
  return isHigh ? 'high' : 'right'
}

/** At which ends the needed latency must be set for the verdict to become right. */
export function endsToSet(
  ends: LatencyEnds,
  neededMs: number,
): { isOwn: boolean; isOther: boolean } {
  const { protocol, ownMs, otherMs, isReceiver } = ends
  const verdict = latencyVerdict(appliedLatency(ends), neededMs)
  if (verdict === 'right') return { isOwn: false, isOther: false }
  if (verdict === 'low') {
    // The higher of SRT counts: this end alone will do.
    if (protocol === 'srt') return { isOwn: ownMs < neededMs, isOther: false }
    return { isOwn: ownMs < neededMs, isOther: otherMs === null || otherMs < neededMs }
  }
  const isOtherHigher = otherMs === null || otherMs > neededMs
  if (protocol === 'srt') return { isOwn: ownMs > neededMs, isOther: isOtherHigher }
  return { isOwn: isReceiver && ownMs > neededMs, isOther: !isReceiver && isOtherHigher }
}
