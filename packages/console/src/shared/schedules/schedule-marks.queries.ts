/** One call for all objects on the page; 'schedule' is invalidated by push. */
import { queryOptions } from '@tanstack/react-query'
import { MINUTE_MS } from '@trunkline/contract/durations'
import { listScheduleMarks } from '@trunkline/contract/schedules/schedule.calls'
import { call } from '../../lib/call.ts'

/** Others come within a day as time passes, without anything being saved. */
const AGAIN_MS = 10 * MINUTE_MS

export const scheduleMarksQuery = queryOptions({
  queryKey: ['schedule', 'marks'],
  queryFn: async ({ signal }) => call(listScheduleMarks, { signal }),
  refetchInterval: AGAIN_MS,
})
