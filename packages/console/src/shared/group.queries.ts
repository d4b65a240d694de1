import { listGroups } from '@trunkline/contract/groups/group.calls'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

/** The groups this user may see, in order of creation (Q39). */
export function groupsQuery() {
  return queryOptions({
    queryKey: ['group', 'list'],
    queryFn: async ({ signal }) => (await call(listGroups, { signal })).data,
  })
}
