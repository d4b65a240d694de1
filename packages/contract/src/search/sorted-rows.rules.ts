/** Rows that are all in memory: sorted as the database sorts those of the other lists, and in pages. Pure. */
import type { Sort } from '../paging.schema.ts'
import { titleKey } from './title-key.rules.ts'

/** What a row is compared by; null: not known. */
type SortValue = string | number | null

/** By the name of the column, as its heading has it. */
export type SortValues<T, C extends string> = Readonly<Record<C, (row: T) => SortValue>>

/** The API refuses any other: an address may be written by hand. */
export function sortOf<C extends string>(sort: string, sorts: readonly C[]): Sort<C> {
  const choices: Sort<C>[] = sorts.flatMap((column) => [column, `-${column}` as const])
  return choices.find((choice) => choice === sort) ?? ''
}

/** Rows whose value is not known stand last in both directions; equal ones keep their order. */
export function sortRows<T, C extends string>(
  rows: readonly T[],
  sort: Sort<C>,
  values: SortValues<T, C>,
): readonly T[] {
  if (sort === '') return rows
  const isDescending = sort.startsWith('-')
  // A choice is a column, or a column behind a '-'.
  const valueOf = values[(isDescending ? sort.slice(1) : sort) as C]
  const keyed = rows.map((row) => ({ row, key: keyOf(valueOf(row)) }))
  return keyed
    .toSorted((a, b) => compare(a.key, b.key, isDescending ? -1 : 1))
    .map(({ row }) => row)
}

/** 0 rows a page: all. */
export function rowsOfPage<T>(
  all: readonly T[],
  { page, rowsPerPage }: { page: number; rowsPerPage: number },
): readonly T[] {
  return rowsPerPage === 0 ? all : all.slice(page * rowsPerPage, (page + 1) * rowsPerPage)
}

function keyOf(value: SortValue): SortValue {
  return typeof value === 'string' ? titleKey(value) : value
}

function compare(a: SortValue, b: SortValue, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -direction : a > b ? direction : 0
}
