/** Kept steps and live readings brought into one line. */
import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { SAMPLE_EVERY_MS, type Sample } from '../../lib/live/live-store.ts'

/**
 * A kept step is two slots long, and stands in them as its lowest and its highest reading, so that no
 * burst and no drop is lost. Where this browser has a reading of its own, that one counts.
 */
export function mergedSamples(
  kept: readonly LinkPoint[],
  seen: readonly Sample[],
): readonly Sample[] {
  if (kept.length === 0) return seen
  const slots = new Set(seen.map((sample) => sample.atMs))
  const older = kept
    .flatMap(({ atMs, bitrateKbps }) => [
      { atMs, kbps: bitrateKbps.min },
      { atMs: atMs + SAMPLE_EVERY_MS, kbps: bitrateKbps.max },
    ])
    .filter((sample) => !slots.has(sample.atMs))
  return [...older, ...seen].toSorted((a, b) => a.atMs - b.atMs)
}
