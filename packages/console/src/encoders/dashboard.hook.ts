/** The state of the dashboard: what is asked for, what of it is shown, what is in trouble. */
import { useQuery } from '@tanstack/react-query'
import { DASHBOARD_PAGE_SIZES, type Encoder } from '@trunkline/contract/encoders/encoder.schema'
import {
  isStale,
  needsAttention,
  viewOfEncoder,
  type Freshness,
} from '@trunkline/contract/fleet/state-view.rules'
import { useMemo, useState } from 'react'
import { useFreshness, usePrograms } from '../lib/live-hooks.ts'
import { programKey } from '../lib/live-store.ts'
import { useRole, useSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../shared/first-group.rules.ts'
import { encodersQuery } from './encoder.queries.ts'
import { isShown, SHOWS, type Show } from './encoder.rules.ts'

const NO_ENCODERS: readonly Encoder[] = []

export type Dashboard = ReturnType<typeof useDashboard>

export function useDashboard() {
  const [show, setShow] = useState<Show>('all')
  const list = useEncoderList()
  const { query, total, group, search } = list
  // Counting the fleet needs all of it. While a page holds all, nothing more is asked for.
  const isPartial = search === '' && total > (query.data?.result.length ?? 0)
  const everything = useQuery({
    ...encodersQuery({ page: 0, rows: 0, search: '', group }),
    enabled: isPartial,
  })
  const fleet = isPartial ? everything.data?.result : query.data?.result
  const judged = useJudged(fleet ?? NO_ENCODERS)
  const isUnheard = isStale(useFreshness())
  const isPlain = show === 'all'
  const shown = useMemo(
    () =>
      isPlain
        ? (query.data?.result ?? NO_ENCODERS)
        : judged.filter((one) => isShown(show, one.view.family)).map((one) => one.encoder),
    [isPlain, query.data, judged, show],
  )
  const counts = useMemo(() => countsOf(judged), [judged])
  const troubles = useMemo(() => judged.filter((one) => needsAttention(one.view.family)), [judged])
  return {
    ...list,
    show,
    setShow,
    shown,
    counts: fleet === undefined ? null : counts,
    // When nothing is heard any more, that alone is the trouble, and the page's head says so.
    troubles: isUnheard ? [] : troubles,
    isLoading: query.isPending || (!isPlain && fleet === undefined && !everything.isError),
    error: query.error ?? (isPlain ? null : everything.error),
    refresh: () => {
      void query.refetch()
      if (isPartial) void everything.refetch()
    },
  }
}

function useEncoderList() {
  const session = useSession()
  const role = useRole()
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const [searchKey, setSearchKey] = useState(0)
  const [rows, setRows] = useState(startingRows)
  const [group, setGroup] = useState(() =>
    startingGroup({
      role,
      ownGroupIds: session?.user.groups.map((one) => one._id) ?? [],
      remembered: storage.dashboardGroupId.read(),
    }),
  )
  const query = useQuery(encodersQuery({ page, rows, search, group }))
  return {
    query,
    total: query.data?.total ?? 0,
    page,
    rows,
    search,
    group,
    searchKey,
    hasAllGroups: seesAllGroups(role),
    setPage,
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

/** STORE-05; a number that is no choice (CONST-02) is none. */
function startingRows(): number {
  const remembered = storage.dashboardRowsPerPage.read()
  return DASHBOARD_PAGE_SIZES.find((size) => size === remembered) ?? DASHBOARD_PAGE_SIZES[0]
}

/** Beyond that many a fleet is judged once a second, not at every change; each card still is. */
const JUDGED_AT_ONCE = 500

function useJudged(encoders: readonly Encoder[]) {
  const live = usePrograms()
  const { nowMs, isLoaded, brokenSinceMs } = useFreshness()
  const beat = encoders.length > JUDGED_AT_ONCE ? nowMs : live
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new beat, not a new picture, is the point
  const programs = useMemo(() => live, [beat])
  return useMemo(
    () => judge(encoders, programs, { nowMs, isLoaded, brokenSinceMs }),
    [encoders, programs, nowMs, isLoaded, brokenSinceMs],
  )
}

function judge(
  encoders: readonly Encoder[],
  programs: ReturnType<typeof usePrograms>,
  freshness: Freshness,
) {
  return encoders.map((encoder) => {
    const status = programs.get(programKey('encoder', encoder._id)) ?? null
    const { isEnabled, config } = encoder
    const view = viewOfEncoder({ isEnabled, isConfigured: config !== null, status, freshness })
    return { encoder, status, view }
  })
}

function countsOf(judged: ReturnType<typeof useJudged>): Record<Show, number> {
  const count = (show: Show) => judged.filter((one) => isShown(show, one.view.family)).length
  return Object.fromEntries(SHOWS.map((show) => [show, count(show)])) as Record<Show, number>
}
