/** The state of the dashboard: what is asked for, what of it is shown, what is in trouble. */
import { useQuery } from '@tanstack/react-query'
import { DASHBOARD_PAGE_SIZES, type Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useEffect, useState, useMemo } from 'react'
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { shownEncodersQuery, encoderCountsQuery, pickedEncodersQuery } from '../encoder.queries.ts'
import type { FleetCounts } from '@trunkline/contract/fleet/fleet.schema'
import { shownCount, SHOWS, type Show } from '@trunkline/contract/fleet/show.rules'
import { useCalmRefresh } from '../../shared/calm-refresh.hook.ts'
import { isStale } from '@trunkline/contract/fleet/state-view.rules'
import { useSteadyStrip } from './steady-strip.hook.ts'
import { useCounts, useFreshness } from '../../lib/live/live-hooks.ts'

const NO_ENCODERS: readonly Encoder[] = []
const NO_IDS: readonly string[] = []
/** As many as one line of a desk screen holds; the rest is counted. */
const STRIP_LENGTH = 4

export type Dashboard = ReturnType<typeof useDashboard>

export function useDashboard() {
  const list = useEncoderList()
  const { query, show, search, group, total } = list
  const shown = query.data?.result ?? NO_ENCODERS
  const { counts, change, refetch } = useEncoderCounts(search, group)
  const picked = usePickedEncoders(shown, counts?.worst.slice(0, STRIP_LENGTH) ?? NO_IDS)
  // All encoders stand as they were created: no state moves them.
  const isByState = show !== 'all' || search !== ''
  const calm = useCalmRefresh({
    change: isByState ? change : null,
    readAtMs: query.dataUpdatedAt,
    refresh: () => {
      if (show !== 'all') void query.refetch()
      void refetch()
    },
  })
  const strip = useSteadyStrip(counts !== null && shownCount('attention', counts.families) > 0)
  return {
    ...list,
    shown,
    /** What the pager counts; 0 where all that there is stands on one page (Q72). */
    pagedTotal: search === '' ? total : 0,
    counts: counts === null ? null : countsOf(counts),
    /** The worst of those that need attention. */
    troubles: picked.encoders,
    isOutdated: calm.isOutdated,
    hasStrip: strip.isShown,
    hold: { ...calm.handlers, ...strip.handlers },
    isLoading: query.isPending,
    error: query.error,
    refresh: () => void Promise.all([query.refetch(), picked.refetch(), refetch()]),
  }
}

function countsOf({ families }: Pick<FleetCounts, 'families'>): Record<Show, number> {
  return Object.fromEntries(SHOWS.map((show) => [show, shownCount(show, families)])) as Record<
    Show,
    number
  >
}

function useEncoderList() {
  const session = useSession()
  const role = useRole()
  const [show, setShow] = useState<Show>('all')
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const [searchKey, setSearchKey] = useState(0)
  const [rows, setRows] = useState(startingRows)
  const [group, setGroup] = useState(() =>
    startingGroup({
      role,
      ownGroupIds: session?.user.groups.map((group) => group._id) ?? [],
      remembered: storage.dashboardGroupId.read(),
    }),
  )
  const query = usePageQuery(shownEncodersQuery({ page, rows, search, group }, show))
  const total = query.data?.total ?? 0
  useLastPage({ isKnown: query.data !== undefined, total, page, rows, setPage })
  return {
    query,
    total,
    show,
    page,
    rows,
    search,
    group,
    searchKey,
    hasAllGroups: seesAllGroups(role),
    setPage,
    setShow: (next: Show) => {
      setShow(next)
      setPage(0)
    },
    setSearch: (text: string) => {
      setSearch(text)
      setPage(0)
    },
    /** Empties the box as well: it begins anew. */
    clearSearch: () => {
      setSearch('')
      setSearchKey(searchKey + 1)
    },
    setGroup: (groupId: string) => {
      storage.dashboardGroupId.write(groupId)
      setGroup(groupId)
      setPage(0)
    },
    setRows: (count: number) => {
      storage.dashboardRowsPerPage.write(count)
      setRows(count)
      setPage(0)
    },
  }
}

interface LastPage {
  isKnown: boolean
  total: number
  page: number
  rows: number
  setPage: (page: number) => void
}

/** A page that has emptied, as its encoders became well, gives way to the last one that has some. */
function useLastPage({ isKnown, total, page, rows, setPage }: LastPage): void {
  const last = Math.max(0, Math.ceil(total / rows) - 1)
  const isBeyond = isKnown && page > last
  useEffect(() => {
    if (isBeyond) setPage(last)
  }, [isBeyond, last, setPage])
}

/** STORE-05; a number that is no choice (CONST-02) is none. */
function startingRows(): number {
  const remembered = storage.dashboardRowsPerPage.read()
  return DASHBOARD_PAGE_SIZES.find((size) => size === remembered) ?? DASHBOARD_PAGE_SIZES[0]
}

type EncoderCounts = Pick<FleetCounts, 'families' | 'total' | 'worst'>

/** How many encoders are in which state: pushed, or of a search asked for. */
function useEncoderCounts(search: string, group: string) {
  const pushed = useCounts('encoder', group)
  const isSearch = search !== ''
  const query = useQuery({ ...encoderCountsQuery(search, group), enabled: isSearch })
  // When nothing is heard any more every card says so, and a count would say otherwise.
  const isUnheard = isStale(useFreshness([]))
  const known: EncoderCounts | null = isSearch ? (query.data ?? null) : pushed
  return {
    counts: isUnheard ? null : known,
    /** Another one once states have changed; null while nothing is known. */
    change: pushed === null ? null : changeOf(pushed),
    refetch: async () => (isSearch ? query.refetch() : undefined),
  }
}

function changeOf({ families, worst }: FleetCounts): string {
  return JSON.stringify([families, worst])
}

/** Single encoders, in the order of the ids: from the page where it holds them, else asked for. */
function usePickedEncoders(listed: readonly Encoder[], ids: readonly string[]) {
  const known = useMemo(() => new Map(listed.map((item) => [item._id, item])), [listed])
  // In one order, so that states that change places ask for nothing new.
  const missing = ids.filter((id) => !known.has(id)).toSorted()
  const isWanted = missing.length > 0
  const { data, refetch } = useQuery({ ...pickedEncodersQuery(missing), enabled: isWanted })
  const byId = useMemo(
    () => new Map([...(data ?? []), ...listed].map((item) => [item._id, item])),
    [data, listed],
  )
  return {
    encoders: ids.flatMap((id) => byId.get(id) ?? []),
    refetch: async () => (isWanted ? refetch() : undefined),
  }
}
