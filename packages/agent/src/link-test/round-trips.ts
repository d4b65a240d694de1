import type { RoundTrips } from '@trunkline/contract/agent/link-test.messages'

/** Null without samples. The percentile is a sample itself: the smallest that 95 % do not exceed. */
export function roundTripsOf(samplesMs: readonly number[]): RoundTrips | null {
  const sorted = samplesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  if (sorted.length === 0) return null
  return { samples: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), highestMs: at(1) }
}
