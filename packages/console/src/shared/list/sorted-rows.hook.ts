/** By what a table of rows that are all in the browser is sorted, kept as the paged lists keep it. */
import type { Sort } from '@trunkline/contract/paging.schema'
import { useState } from 'react'
import { useSession } from '../../lib/session.ts'
import type { Sorting } from '../../ui/table/Table.tsx'
import { useListAddress } from './list-address.hook.ts'
import type { Paging } from './paging.hook.ts'
import { sortOf, sortRows, type SortValues } from '@trunkline/contract/search/sorted-rows.rules'
import { browserSort, keepInBrowser } from './view/browser-view.ts'

/** Under these names it is remembered how somebody has sorted them. */
type SortedTable =
  | 'alarmRules'
  | 'apiCalls'
  | 'apiTokens'
  | 'availability'
  | 'backups'
  | 'combinedRules'
  | 'feeders'
  | 'notificationRules'

interface SortedRows<T, C extends string> {
  table: SortedTable
  /** Of each column that it can be sorted by. */
  values: SortValues<T, C>
}

/** Of a table in a dialog, or on a page whose address does not say what it shows. */
export function useSortedRows<T, C extends string>({ table, values }: SortedRows<T, C>) {
  const userId = useSession()?.user._id ?? ''
  const [sort, setSort] = useState(() => browserSort(userId, table))
  return sortedBy(sortOf(sort, columnsOf(values)), values, (next) => {
    keepInBrowser(userId, table, { sort: next })
    setSort(next)
  })
}

/** Of a page that is this table. */
export function useSortedPage<T, C extends string>({ table, values }: SortedRows<T, C>) {
  const userId = useSession()?.user._id ?? ''
  const address = useListAddress({
    usual: { sort: () => browserSort(userId, table) },
    place: 'address',
    isShown: true,
  })
  return sortedBy(sortOf(address.values.sort, columnsOf(values)), values, (next) => {
    keepInBrowser(userId, table, { sort: next })
    address.change({ sort: next }, 'push')
  })
}

function columnsOf<C extends string>(values: Readonly<Record<C, unknown>>): C[] {
  return Object.keys(values) as C[]
}

function sortedBy<T, C extends string>(
  sort: Sort<C>,
  values: SortValues<T, C>,
  onSort: (sort: string) => void,
) {
  return {
    /** For the table. */
    sorting: { sort, onSort },
    sorted: (rows: readonly T[]) => sortRows(rows, sort, values),
  }
}

/** Of a table that pages rows which are all in the browser: another order begins at the first page. */
export function withSorting(paging: Paging, { sort, onSort }: Sorting): Paging {
  return {
    ...paging,
    sort,
    setSort: (next) => {
      onSort(next)
      paging.setPage(0)
    },
  }
}
