/** What the palette asks for. */
import { queryOptions } from '@tanstack/react-query'
import { searchObjects } from '@trunkline/contract/search/search.calls'
import { listAlarmHistory } from '@trunkline/contract/alarms/alarm.calls'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { ALARM_KEY } from '../../alarms/alarm.queries.ts'
import { call } from '../../lib/call.ts'
import { isSearched } from './typed.rules.ts'

/** States are pushed; titles may change meanwhile, so nothing is kept for longer than it is shown. */
const FRESH = { staleTime: 0, gcTime: 0 } as const

/** `text` comes back with the answer: what was typed since may be something else. A new question aborts the old one. */
export function searchQuery(text: string) {
  return queryOptions({
    ...FRESH,
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const { data, more } = await call(searchObjects, { query: { q: text }, signal })
      return { text, data, more }
    },
    enabled: isSearched(text),
    placeholderData: (before) => before,
  })
}

/** These objects as they are now; those that are gone, or out of sight, are left out. */
export function recentQuery(keys: readonly string[]) {
  return queryOptions({
    ...FRESH,
    queryKey: ['search', 'recent', keys.join(',')],
    queryFn: async ({ signal }) =>
      (await call(searchObjects, { query: { keys: keys.join(',') }, signal })).data,
    enabled: keys.length > 0,
  })
}

/** What a row of these has beside what the search answers. */
export function serverQuery(id: string) {
  return queryOptions({
    queryKey: ['server', 'one', id],
    queryFn: async ({ signal }) => (await call(findServer, { params: { id }, signal })).data,
  })
}

/** Null for one that is gone. */
export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['group', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { id, people: 'manager', rowsPerPage: 1 } as const
      return (await call(listGroups, { query, signal })).data[0] ?? null
    },
  })
}

/** So many alarms of an object are looked through for those that are open. */
const LOOKED_THROUGH = 200

/** Open alarms of an object that nobody has acknowledged, the newest first. */
export function unacknowledgedQuery(kind: ObservedKind, id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [ALARM_KEY, 'unacknowledged', kind, id],
    queryFn: async ({ signal }) => {
      const query = { kind, id, limit: LOOKED_THROUGH }
      const { data } = await call(listAlarmHistory, { query, signal })
      return data.filter(
        ({ clearedAt, acknowledged }) => clearedAt === null && acknowledged === null,
      )
    },
  })
}
