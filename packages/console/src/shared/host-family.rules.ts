/** How loud the state of a host is: the same on its row and in the count of the whole fleet. */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import { isStale, type Family, type Freshness } from '@trunkline/contract/fleet/state-view.rules'

/** A host that answers wrongly is broken; of one that is silent we cannot see what it does. */
export function answersWrongly(fault: HostStatus['fault']): boolean {
  return fault === 'wrong-key' || fault === 'not-an-agent'
}

export function familyOfHost({ online, fault }: HostStatus, freshness: Freshness): Family {
  if (isStale(freshness)) return 'blind'
  if (online) return 'ok'
  return answersWrongly(fault) ? 'bad' : 'blind'
}
