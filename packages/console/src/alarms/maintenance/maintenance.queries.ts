import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listMaintenance,
  type MAINTENANCE_SORTS,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type { Sort } from '@trunkline/contract/paging.schema'
import { call } from '../../lib/call.ts'

export function maintenanceQuery(list: {
  page: number
  rowsPerPage: number
  sort: Sort<(typeof MAINTENANCE_SORTS)[number]>
}) {
  return queryOptions({
    queryKey: ['maintenance', 'page', list],
    queryFn: async ({ signal }) => call(listMaintenance, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}
