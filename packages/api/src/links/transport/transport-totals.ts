/** What this process has stored of the counts of transport streams, of all links together; for its metrics. */
import type { TransportMinute } from '@trunkline/contract/fleet/transport-history.schema'
import type { Context } from '../../context.ts'

interface TransportTotals {
  continuityErrors: number
  lookedMs: number
}

const totals = new WeakMap<Context['hosts'], TransportTotals>()

export function transportTotals(hosts: Context['hosts']): TransportTotals {
  const known = totals.get(hosts) ?? { continuityErrors: 0, lookedMs: 0 }
  totals.set(hosts, known)
  return known
}

/** Once they are stored: each minute counts in one process. */
export function noteStored(hosts: Context['hosts'], minutes: readonly TransportMinute[]): void {
  const known = transportTotals(hosts)
  for (const { continuityErrors, lookedMs } of minutes) {
    known.continuityErrors += continuityErrors
    known.lookedMs += lookedMs
  }
}
