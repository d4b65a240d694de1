/**
 * The rows of a list without pages: only those in sight and a few around them are drawn, so that ten
 * thousand are as fast as twelve. The page scrolls, not the table. What it takes is loaded with the
 * first long list: most lists have pages.
 */
import { lazy, type ReactNode, Suspense } from 'react'

const LongRows = lazy(async () => ({ default: (await import('./LongRows.tsx')).LongRows }))

interface LongBodyProps<T> {
  rows: readonly T[]
  /** Row and what it opens to: one or two `tr`. */
  rowOf: (row: T) => ReactNode
  keyOf: (row: T) => string
  /** In pixels, of a row that is closed. */
  rowHeight: number
}

export function LongBody<T>({ rows, rowOf, keyOf, rowHeight }: LongBodyProps<T>) {
  const at = <R,>(index: number, read: (row: T) => R, none: R): R => {
    const row = rows[index]
    return row === undefined ? none : read(row)
  }
  return (
    <Suspense fallback={<tbody />}>
      <LongRows
        count={rows.length}
        rowAt={(index) => at(index, rowOf, null)}
        keyAt={(index) => at(index, keyOf, String(index))}
        rowHeight={rowHeight}
      />
    </Suspense>
  )
}
