/** Which hops stand on the line of a path, of a list of many paths. */
import { FAMILIES, needsAttention, type Family } from '@trunkline/contract/fleet/state-view.rules'
import type { LiveHop } from './signal-path.hook.ts'

/** Of the hops side by side so many are named. */
const SHOWN_OF_STAGE = 2

export interface LineStage {
  shown: readonly LiveHop[]
  /** How many more there are, and the worst state of those. */
  more: number
  moreFamily: Family
}

export function familyOf(hop: LiveHop): Family {
  return hop.isShown ? hop.state.family : hop.family
}

/** Those in trouble come first, so that a line never hides the reason for its place in the list. */
export function stageOf(hops: readonly LiveHop[]): LineStage {
  const rank = (hop: LiveHop) =>
    needsAttention(familyOf(hop)) ? FAMILIES.indexOf(familyOf(hop)) : FAMILIES.length
  const sorted = hops.toSorted((a, b) => rank(a) - rank(b))
  const rest = sorted.slice(SHOWN_OF_STAGE)
  const [worst] = rest
  return {
    shown: sorted.slice(0, SHOWN_OF_STAGE),
    more: rest.length,
    moreFamily: worst === undefined ? 'ok' : familyOf(worst),
  }
}
