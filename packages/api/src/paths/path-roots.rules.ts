/** Where the paths of somebody begin, and which of them are in trouble. Pure. */
import { FAMILIES, needsAttention, type Family } from '@trunkline/contract/fleet/state-view.rules'

/** By key of the hop, the keys next to it. */
export interface PathEdges {
  before: ReadonlyMap<string, readonly string[]>
  behind: ReadonlyMap<string, readonly string[]>
}

/**
 * Of these objects, in their order, those that get their stream from no object that is seen. What feeds
 * itself in a loop, and is fed by nothing else, begins where it is named first.
 */
export function rootsOf(
  { before, behind }: PathEdges,
  candidates: readonly string[],
  isSeen: (key: string) => boolean,
): string[] {
  const seen = candidates.filter(isSeen)
  const roots = seen.filter((key) => !allFrom(key, before).some(isSeen))
  const reached = new Set(roots)
  const reach = (key: string) => {
    for (const next of [key, ...allFrom(key, behind)]) reached.add(next)
  }
  for (const root of roots) reach(root)
  for (const key of seen) {
    if (reached.has(key)) continue
    roots.push(key)
    reach(key)
  }
  return roots
}

/** All hops on one side of that one, nearest first. */
export function allFrom(
  key: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const found = new Set([key])
  for (const hop of found) for (const next of neighbours.get(hop) ?? []) found.add(next)
  found.delete(key)
  return [...found]
}

/** Of all hops of the path; 'ok' while nothing is known of them. */
export function worstOf(keys: readonly string[], familyOf: (key: string) => Family | null): Family {
  let worst: Family | null = null
  for (const key of keys) {
    const family = familyOf(key)
    if (family === null || !needsAttention(family)) continue
    if (worst === null || FAMILIES.indexOf(family) < FAMILIES.indexOf(worst)) worst = family
  }
  return worst ?? 'ok'
}
