/** The state of the dashboard: what is asked for, what of it is shown, what is in trouble. */
import { useQuery } from '@tanstack/react-query'
import { DASHBOARD_PAGE_SIZES, type Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { isStale } from '@trunkline/contract/fleet/state-view.rules'
import { useMemo, useState } from 'react'
import { useFreshness } from '../../lib/live-hooks.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { seesAllGroups, startingGroup } from '../../shared/choices/first-group.rules.ts'
import { encodersQuery } from '../encoder.queries.ts'
import { isShown, type Show } from '../encoder.rules.ts'
import { countsOf, troublesOf, useFleet, usePicked, type Judged } from './fleet.hook.ts'

const NO_ENCODERS: readonly Encoder[] = []
/** As many as one line of a desk screen holds; the rest is counted. */
const STRIP_LENGTH = 4

export type Dashboard = ReturnType<typeof useDashboard>

export function useDashboard() {
  const [show, setShow] = useState<Show>('all')
  const list = useEncoderList()
  const { query, total, search } = list
  const listed = query.data?.result ?? NO_ENCODERS
  // Counting the fleet needs all of it. While a page holds all, nothing more is asked for.
  const isPartial = search === '' && total > listed.length
  const fleet = useFleet(listed, isPartial, list.group)
  const { judged } = fleet
  const isUnheard = isStale(useFreshness())
  const counts = useMemo(() => countsOf(judged), [judged])
  // When nothing is heard any more, that alone is the trouble, and the page's head says so.
  const troubles = useMemo(() => (isUnheard ? [] : troublesOf(judged)), [judged, isUnheard])
  const strip = troubles.slice(0, STRIP_LENGTH)
  const view = useView({ show, judged, isPartial, page: list.page, rows: list.rows })
  const picked = usePicked(
    listed,
    [...strip, ...view.wanted].map(({ id }) => id),
  )
  const shown = useMemo(
    () => (show === 'all' ? listed : view.wanted.flatMap(({ id }) => picked.byId.get(id) ?? [])),
    [show, listed, view.wanted, picked.byId],
  )
  const isEmptyYet = view.wanted.length > 0 && shown.length === 0 && picked.isFetching
  const isCountedLate = show !== 'all' && !fleet.isCounted && fleet.error === null
  return {
    ...list,
    page: view.page,
    show,
    setShow: (next: Show) => {
      setShow(next)
      list.setPage(0)
    },
    shown,
    /** What the pager counts; 0 where all that there is stands on one page (Q72). */
    pagedTotal: pagedTotal(show, { search, total, isPartial, matching: view.total }),
    counts: fleet.isCounted ? counts : null,
    troubleCount: troubles.length,
    /** The worst of them. */
    troubles: strip.flatMap(({ id, ...trouble }) => {
      const encoder = picked.byId.get(id)
      return encoder === undefined ? [] : [{ ...trouble, encoder }]
    }),
    isLoading: query.isPending || isCountedLate || isEmptyYet,
    error: query.error ?? (show === 'all' ? null : (fleet.error ?? picked.error)),
    refresh: () => {
      void query.refetch()
      if (isPartial) void Promise.all([fleet.refetch(), picked.refetch()])
    },
  }
}

interface ViewInput {
  show: Show
  judged: readonly Judged[]
  isPartial: boolean
  page: number
  rows: number
}

const NOBODY: readonly Judged[] = []

/** Of the encoders in a certain state those whose cards stand on the page; a fleet has pages of them. */
function useView({ show, judged, isPartial, page, rows }: ViewInput) {
  const matching = useMemo(
    () => (show === 'all' ? NOBODY : judged.filter((item) => isShown(show, item.view.family))),
    [show, judged],
  )
  const lastPage = Math.max(0, Math.ceil(matching.length / rows) - 1)
  const shownPage = show === 'all' ? page : Math.min(page, lastPage)
  const wanted = useMemo(
    () => (isPartial ? matching.slice(shownPage * rows, (shownPage + 1) * rows) : matching),
    [isPartial, matching, shownPage, rows],
  )
  return { wanted, page: shownPage, total: matching.length }
}

interface Totals {
  search: string
  total: number
  isPartial: boolean
  matching: number
}

function pagedTotal(show: Show, { search, total, isPartial, matching }: Totals): number {
  if (search !== '') return 0
  if (show === 'all') return total
  return isPartial ? matching : 0
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
      ownGroupIds: session?.user.groups.map((group) => group._id) ?? [],
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
