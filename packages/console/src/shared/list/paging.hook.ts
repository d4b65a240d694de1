/** Which part of a list is asked for: page, rows per page, search, sorting and filters of one table. */
import type { ArrangedList } from '@trunkline/contract/users/list-view.schema'
import { useState } from 'react'
import type { Entry, SavedFilter } from '../../lib/storage.ts'
import { useListAddress } from './list-address.hook.ts'
import { sortOf } from '@trunkline/contract/search/sorted-rows.rules'
import { useListView } from './view/list-view.hook.ts'

/** Rows per page of the tables of people, places and activity; they are paged by the API. */
export const TABLE_PAGE_SIZES = [24, 50, 100, 200] as const

interface PagingOptions<C extends string, N extends string> {
  /** 0 stands for all; the first is the one to begin with. */
  sizes: readonly [number, ...number[]]
  /** Where the operator's choice of rows is remembered (STORE-05). */
  rowsEntry: Entry<number>
  /** The place of a row that the first page shall have; below 0, or left out: from the beginning. */
  startsAt?: number
  /** Of a list whose address says what it shows. */
  named?: NamedList<C, N>
}

interface NamedList<C extends string, N extends string> {
  /** Under which it is remembered how somebody has arranged it. */
  list: ArrangedList
  /** By which the API sorts it. */
  sorts: readonly C[]
  /** By its name in the address, what each filter is where the address has none. */
  filters: Readonly<Record<N, () => string>>
  /** Whoever opens it finds it in its own order, however they sorted it last: the worst is first there. */
  beginsInOwnOrder?: boolean
  /** False while another list of the same page is shown; left out: true. */
  isShown?: boolean
}

/** What the table and its tools take. */
export interface Paging {
  /** Counted from 0. */
  page: number
  rowsPerPage: number
  search: string
  /** Makes the search box anew, so that it shows the same text. */
  searchKey: number
  /** As the API takes it: 'title', '-title'; '' for the list's own order. */
  sort: string
  setPage: (page: number) => void
  /** A page that is gone is not gone back to. */
  leavePage: (page: number) => void
  setRowsPerPage: (rows: number) => void
  setSearch: (text: string) => void
  clearSearch: () => void
  setSort: (sort: string) => void
  /** Headings of the columns that somebody has hidden; null for a table that keeps no choice. */
  hidden: readonly string[] | null
  setHidden: (change: (heads: string[]) => string[]) => void
  /** What somebody has saved of this list; null for a table that keeps no choice. */
  saved: readonly SavedFilter[] | null
  setSaved: (change: (saved: SavedFilter[]) => SavedFilter[]) => void
  /** Where what was saved could not be read; null: it was, or is being. */
  readAgain: (() => void) | null
  /** Search, filters and sorting as they are now, to be saved. */
  shown: SavedFilter['values']
  applySaved: (values: SavedFilter['values']) => void
}

export function usePaging<C extends string = never, N extends string = never>({
  sizes,
  rowsEntry,
  startsAt = 0,
  named,
}: PagingOptions<C, N>) {
  const view = useListView(named?.list ?? '')
  const [rowsPerPage, setRowsPerPage] = useState(() => startingRows(sizes, rowsEntry))
  const [searchKey, setSearchKey] = useState(0)
  const firstPage = rowsPerPage === 0 ? 0 : Math.floor(Math.max(0, startsAt) / rowsPerPage)
  const { values, change } = useListAddress<string>({
    usual: {
      page: () => pageText(firstPage),
      search: () => '',
      ...(named === undefined
        ? {}
        : { sort: () => (named.beginsInOwnOrder ? '' : view.sort), ...named.filters }),
    },
    place: named === undefined ? 'page' : 'address',
    isShown: named?.isShown ?? true,
  })
  const sort = sortOf(values['sort'] ?? '', named?.sorts ?? [])
  const paging: Paging = {
    page: pageOf(values['page'] ?? ''),
    rowsPerPage,
    search: values['search'] ?? '',
    searchKey,
    sort,
    setPage: (page) => change({ page: pageText(page) }, 'push'),
    leavePage: (page) => change({ page: pageText(page) }, 'replace'),
    setRowsPerPage: (rows) => {
      rowsEntry.write(rows)
      setRowsPerPage(rows)
      change({ page: '' }, 'replace')
    },
    setSearch: (search) => {
      if (search !== values['search']) change({ search, page: '' }, 'replace')
    },
    clearSearch: () => {
      change({ search: '', page: '' }, 'replace')
      setSearchKey((key) => key + 1)
    },
    setSort: (next) => {
      if (!named?.beginsInOwnOrder) view.setSort(next)
      change({ sort: next, page: '' }, 'push')
    },
    hidden: named === undefined ? null : view.hidden,
    setHidden: (change) => view.arrange(({ hidden }) => ({ hidden: change(hidden) })),
    saved: named === undefined ? null : view.saved,
    setSaved: (change) => view.arrange(({ saved }) => ({ saved: change(saved) })),
    readAgain: view.readAgain,
    shown: Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'page')),
    applySaved: (saved) => change({ ...onlyNamed(saved, values), page: '' }, 'push'),
  }
  return {
    ...paging,
    /** For the call: nothing where the list is in its own order. */
    sorted: sort === '' ? {} : { sort },
    /** As the address or the remembered choice has them. */
    filters: values as Readonly<Record<N, string>>,
    setFilters: (next: Readonly<Partial<Record<N | 'search', string>>>) =>
      change({ ...next, page: '' }, 'push'),
  }
}

/** In the address the first page is 1, which is left out. */
function pageText(page: number): string {
  return page === 0 ? '' : String(page + 1)
}

function pageOf(text: string): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page - 1 : 0
}

/** A filter that the list no longer has is left out. */
function onlyNamed(
  saved: SavedFilter['values'],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(saved).filter(([name]) => Object.hasOwn(values, name)))
}

/** A number that is no choice of this table is none. */
function startingRows(sizes: readonly [number, ...number[]], rowsEntry: Entry<number>): number {
  const remembered = rowsEntry.read()
  return sizes.find((size) => size === remembered) ?? sizes[0]
}
