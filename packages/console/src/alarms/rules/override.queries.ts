import { queryOptions } from '@tanstack/react-query'
import { listOverrides } from '@trunkline/contract/alarms/overrides/override.calls'
import { call } from '../../lib/call.ts'

/** All that this person may see: at most OVERRIDES_AT_MOST. */
export const overridesQuery = queryOptions({
  queryKey: ['alarmOverride', 'all'],
  queryFn: async ({ signal }) => call(listOverrides, { query: { rowsPerPage: 0 }, signal }),
})
