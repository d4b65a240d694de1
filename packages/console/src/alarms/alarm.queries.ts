/** Open alarms and their history. The list is read anew whenever its counts are pushed. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listAlarmHistory, listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import type { ALARM_SORTS } from '@trunkline/contract/alarms/alarm.calls'
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import type { Sort } from '@trunkline/contract/paging.schema'
import { call } from '../lib/call.ts'

/** First part of every key here. */
export const ALARM_KEY = 'alarm'

export interface AlarmList {
  searchText: string
  severity: Severity | ''
  kind: ObservedKind | ''
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof ALARM_SORTS)[number]>
}

export function alarmsQuery(list: AlarmList) {
  return queryOptions({
    queryKey: [ALARM_KEY, 'open', list],
    queryFn: async ({ signal }) => call(listAlarms, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

const CONSEQUENCES_SHOWN = 50

/** Those that an alarm causes: the first of them. */
export function consequencesQuery(causedBy: string) {
  const query = { causedBy, rowsPerPage: CONSEQUENCES_SHOWN }
  return queryOptions({
    queryKey: [ALARM_KEY, 'open', query],
    queryFn: async ({ signal }) => call(listAlarms, { query, signal }),
  })
}

export function historyQuery(severity: Severity | '') {
  return infiniteQueryOptions({
    queryKey: [ALARM_KEY, 'history', severity],
    queryFn: async ({ signal, pageParam }) =>
      call(listAlarmHistory, { query: { severity, before: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
  })
}
