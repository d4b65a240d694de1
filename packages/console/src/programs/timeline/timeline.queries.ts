/** Events of one object: a page at a time, newest first; and how long it was up, by day. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  EVENTS_AT_ONCE,
  listEvents,
  readAvailability,
} from '@trunkline/contract/events/event.calls'
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import type { ObservedKind, SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { call } from '../../lib/call.ts'
import { kindsOf, spanFrom, type TimelineFilter, type TimelineSpan } from './timeline.rules.ts'

export interface TimelineAsked {
  kind: ObservedKind
  id: string
  filter: TimelineFilter
  span: TimelineSpan
}

/** Beside the live updates, for what they do not tell of. */
const READ_EVERY_MS = 30_000
const PAGE = 50

function readPage(asked: TimelineAsked, before: string, limit: number, signal?: AbortSignal) {
  const { kind, id, filter, span } = asked
  const from = spanFrom(span, Date.now())
  const query = { kind, id, show: kindsOf(filter), from, before, limit }
  return call(listEvents, signal === undefined ? { query } : { query, signal })
}

export function timelineQuery(asked: TimelineAsked) {
  const { kind, id, filter, span } = asked
  return infiniteQueryOptions({
    // A change of a record of this kind is read as well.
    queryKey: [kind, 'timeline', id, filter, span],
    queryFn: async ({ pageParam, signal }) => readPage(asked, pageParam, PAGE, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
    placeholderData: keepPreviousData,
    refetchInterval: READ_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** What one file holds at most. */
const EXPORTED_PAGES = 40

/** All that the filter asks for; `isCut`: there are more. */
export async function readForExport(
  asked: TimelineAsked,
): Promise<{ events: TimelineEvent[]; isCut: boolean }> {
  const events: TimelineEvent[] = []
  let before = ''
  for (let page = 0; page < EXPORTED_PAGES; page += 1) {
    const { data, next } = await readPage(asked, before, EVENTS_AT_ONCE)
    events.push(...data)
    if (next === '') return { events, isCut: false }
    before = next
  }
  return { events, isCut: true }
}

/** Who saved the object last; '' where that is not known. For those who may read the record of activity. */
export async function readLastSaver(kind: ObservedKind, id: string, signal: AbortSignal) {
  const query = { kind, id, show: 'saved', limit: 1 }
  const { data } = await call(listEvents, { query, signal })
  return data[0]?.actor ?? ''
}

const DAYS = 14

export function availabilityQuery(kind: SiteKind, id: string) {
  return queryOptions({
    queryKey: [kind, 'availability', id],
    queryFn: async ({ signal }) =>
      (await call(readAvailability, { query: { kind, id, days: DAYS, aheadOfUtc: 0 }, signal }))
        .data,
    refetchInterval: READ_EVERY_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}
