import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMaintenance } from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import { call } from '../../lib/call.ts'

export function maintenanceQuery(list: { page: number; rowsPerPage: number }) {
  return queryOptions({
    queryKey: ['maintenance', 'page', list],
    queryFn: async ({ signal }) => call(listMaintenance, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}
