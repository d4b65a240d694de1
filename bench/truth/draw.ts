/** Which events a run makes, in which order: the same for the same seed. Pure. */
import { EVENT_KINDS, type EventKind } from './events.rules.ts'

/** Answers 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Each kind as often as every other, as far as that goes, in an order of chance. */
export function drawKinds(count: number, random: () => number): EventKind[] {
  const kinds: EventKind[] = []
  while (kinds.length < count) kinds.push(...shuffled(EVENT_KINDS, random))
  return shuffled(kinds.slice(0, count), random)
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
