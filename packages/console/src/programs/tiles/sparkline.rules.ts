/** What a sparkline draws, from its readings alone. */
import { SAMPLE_EVERY_MS, type Sample } from '../../lib/live/live-store.ts'

export interface Point {
  atMs: number
  kbps: number
}

/** Slots may come one late; two missing are a gap. */
const GAP_MS = 2.5 * SAMPLE_EVERY_MS

/** Readings that follow each other without a gap; never joined across one. */
export function runsOf(samples: readonly Sample[]): readonly (readonly Point[])[] {
  const runs: Point[][] = []
  let previousMs: number | null = null
  for (const { atMs, kbps } of samples) {
    if (kbps === null) {
      previousMs = null
      continue
    }
    const follows = previousMs !== null && atMs - previousMs <= GAP_MS
    const run = runs.at(-1)
    if (follows && run !== undefined) run.push({ atMs, kbps })
    else runs.push([{ atMs, kbps }])
    previousMs = atMs
  }
  return runs
}

/** The value at the top: zero based, with room above the target and the highest reading. */
export function scaleOf(samples: readonly Sample[], targetKbps: number | null): number {
  const highest = Math.max(0, ...samples.map((sample) => sample.kbps ?? 0))
  return Math.max(highest * 1.1, (targetKbps ?? 0) * 1.25, 1)
}
