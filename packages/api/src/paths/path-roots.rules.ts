/** Where the paths of somebody begin, and which of them are in trouble. */
import { eachInSlices } from '../in-slices.ts'
import { reachedFrom } from '@trunkline/contract/paths/first-bad-hop.rules'
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
export async function rootsOf(
  { before, behind }: PathEdges,
  candidates: readonly string[],
  isSeen: (key: string) => boolean,
): Promise<string[]> {
  const [seen, roots, reached] = [[] as string[], [] as string[], new Set<string>()]
  const begin = (key: string) => {
    roots.push(key)
    for (const next of [key, ...allFrom(key, behind)]) reached.add(next)
  }
  await eachInSlices(candidates, (key) => {
    if (!isSeen(key)) return
    seen.push(key)
    if (!allFrom(key, before).some(isSeen)) begin(key)
  })
  await eachInSlices(seen, (key) => {
    if (!reached.has(key)) begin(key)
  })
  return roots
}

/** All hops on one side of that one, nearest first. */
export function allFrom(
  key: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return reachedFrom(key, (hop) => neighbours.get(hop) ?? [])
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
