import type { Sort } from '@trunkline/contract/paging.schema'
import type { GROUP_SORTS } from '@trunkline/contract/groups/group.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { call } from '../lib/call.ts'

export interface GroupList {
  searchText: string
  /** From 0. */
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof GROUP_SORTS)[number]>
}

/** GRP-03: one page of the table; the old one stays in sight until the new one is there. */
export function groupPageQuery(list: GroupList) {
  return queryOptions({
    queryKey: ['group', 'page', list],
    queryFn: async ({ signal }) =>
      call(listGroups, { query: { ...list, people: 'manager' }, signal }),
    placeholderData: keepPreviousData,
  })
}
