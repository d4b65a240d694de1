import { queryOptions } from '@tanstack/react-query'
import { listSchedules } from '@trunkline/contract/schedules/schedule.calls'
import type { ScheduleKind } from '@trunkline/contract/schedules/schedule.schema'
import { call } from '../lib/call.ts'

/** More than anybody plans for one object. */
const ROWS = 100

/** 'schedule' is invalidated by push. */
export function schedulesOf({ kind, id }: { kind: ScheduleKind; id: string }) {
  return queryOptions({
    queryKey: ['schedule', 'of', kind, id],
    queryFn: async ({ signal }) =>
      call(listSchedules, { query: { kind, id, rowsPerPage: ROWS }, signal }),
  })
}
