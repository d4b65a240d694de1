/**
 * Which latency a link needs: RTT times a multiplier that grows with the loss. Source: SRT Deployment
 * Guide (Haivision), table of RTT multipliers for SRT; RIST resends in the same way, so that the same
 * figures are used for it.
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
const LOWEST_LATENCY_MS = 20

/** Rounded up to 10 ms. */
export function neededLatencyMs({ rttMs, lossPercent }: { rttMs: number; lossPercent: number }) {
  const multiplier = MULTIPLIERS.find(([upTo]) => lossPercent <= upTo)?.[1] ?? HIGHEST
  return Math.max(LOWEST_LATENCY_MS, Math.ceil((rttMs * multiplier) / 10) * 10)
}
