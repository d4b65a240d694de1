/**
 * Where the hops of a path stand below each other when its stages stand side by side: each behind what
 * feeds it, so that two ways to one channel are two lines and not a single one.
 */

type BeforeOf = (key: string) => readonly string[]

/** By key, from 0. What is folded keeps its lane: nothing else moves into its line. */
export function lanesOf(
  stages: readonly (readonly string[])[],
  before: BeforeOf,
): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>()
  for (const stage of stages) {
    const taken = new Set<number>()
    for (const key of stage) {
      const feeding = before(key).flatMap((other) => lanes.get(other) ?? [])
      let lane = feeding.length === 0 ? 0 : Math.min(...feeding)
      while (taken.has(lane)) lane += 1
      taken.add(lane)
      lanes.set(key, lane)
    }
  }
  return lanes
}

/** A line from the first of these lanes to the last, where a stream is split or several come together. */
export interface Join {
  first: number
  last: number
}

/** Between a stage and what is before it; those that meet are one. */
export function joinsOf(
  stage: readonly string[],
  before: BeforeOf,
  lanes: ReadonlyMap<string, number>,
): Join[] {
  const spans = stage.flatMap((key): Join[] => {
    const own = lanes.get(key)
    const all = before(key).flatMap((other) => lanes.get(other) ?? [])
    if (own === undefined || all.length === 0) return []
    const [first, last] = [Math.min(own, ...all), Math.max(own, ...all)]
    return first === last ? [] : [{ first, last }]
  })
  const joins: Join[] = []
  for (const span of spans.toSorted((a, b) => a.first - b.first)) {
    const open = joins.at(-1)
    if (open !== undefined && span.first <= open.last) open.last = Math.max(open.last, span.last)
    else joins.push({ ...span })
  }
  return joins
}

/** Lanes of hops that feed a stage, and have no hop of it right behind them: their line ends at a join. */
export function endsOf(
  stage: readonly string[],
  before: BeforeOf,
  lanes: ReadonlyMap<string, number>,
): number[] {
  const own = new Set(stage.map((key) => lanes.get(key)))
  const feeding = stage.flatMap((key) => before(key).flatMap((other) => lanes.get(other) ?? []))
  return [...new Set(feeding)].filter((lane) => !own.has(lane))
}
