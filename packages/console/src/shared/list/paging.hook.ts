/** Which part of a list is asked for: page, rows per page and search of one table. */
import { useState } from 'react'
import type { Entry } from '../../lib/storage.ts'

/** Rows per page of the tables of people, places and activity; they are paged by the API. */
export const TABLE_PAGE_SIZES = [24, 50, 100, 200] as const

interface PagingOptions {
  /** 0 stands for all; the first is the one to begin with. */
  sizes: readonly [number, ...number[]]
  /** Where the operator's choice of rows is remembered (STORE-05). */
  rowsEntry: Entry<number>
  /** The place of a row that the first page shall have; below 0, or left out: from the beginning. */
  startsAt?: number
  /** What the address asks to search for; '' or left out: nothing. */
  asked?: string
}

export type Paging = ReturnType<typeof usePaging>

export function usePaging({ sizes, rowsEntry, startsAt = 0, asked = '' }: PagingOptions) {
  const [rowsPerPage, setRowsPerPage] = useState(() => startingRows(sizes, rowsEntry))
  const [page, setPage] = useState(() =>
    rowsPerPage === 0 ? 0 : Math.floor(Math.max(0, startsAt) / rowsPerPage),
  )
  const [search, setSearch] = useState({ text: asked, key: 0 })
  return {
    page,
    rowsPerPage,
    search: search.text,
    /** Makes the search box anew, so that it shows the same text. */
    searchKey: search.key,
    setPage,
    setRowsPerPage: (rows: number) => {
      rowsEntry.write(rows)
      setRowsPerPage(rows)
      setPage(0)
    },
    setSearch: (text: string) => {
      setSearch((now) => ({ ...now, text }))
      setPage(0)
    },
    clearSearch: () => {
      setSearch((now) => ({ text: '', key: now.key + 1 }))
      setPage(0)
    },
  }
}

/** A number that is no choice of this table is none. */
function startingRows(sizes: PagingOptions['sizes'], rowsEntry: Entry<number>): number {
  const remembered = rowsEntry.read()
  return sizes.find((size) => size === remembered) ?? sizes[0]
}
