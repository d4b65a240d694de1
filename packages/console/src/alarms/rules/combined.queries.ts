import { queryOptions } from '@tanstack/react-query'
import { readCombinedRules } from '@trunkline/contract/alarms/overrides/override.calls'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { call } from '../../lib/call.ts'

/** Read again when an override is added, changed or deleted, as all of that kind. */
export function combinedQuery(kind: ObservedKind, id: string) {
  return queryOptions({
    queryKey: ['alarmOverride', 'combined', kind, id],
    queryFn: async ({ signal }) => call(readCombinedRules, { query: { kind, id }, signal }),
    enabled: id !== '',
  })
}
