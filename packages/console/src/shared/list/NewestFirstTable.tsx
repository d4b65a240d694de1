/** A list that goes back in time: its newest rows, and older ones on demand. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { type Column, TableFrame } from '../../ui/table/Table.tsx'
import { ListState } from './ListState.tsx'
import classes from './ListState.module.css'

interface NewestFirstTableProps<T> {
  /** Names the table: 'History of alarms'. */
  label: string
  columns: readonly Column[]
  /** Headings of columns that somebody has hidden. */
  hidden?: readonly string[]
  /** In pixels, of the skeleton too. */
  rowHeight: number
  answer: UseInfiniteQueryResult<InfiniteData<{ data: readonly T[] }>>
  /** 'The history of alarms could not be read.' */
  failedText: string
  /** What this list is, when there is nothing in it. */
  empty: ReactNode
  /** 'Show older alarms' */
  olderLabel: string
  /** One `Row` with its key. */
  rowOf: (row: T) => ReactNode
}

export function NewestFirstTable<T>(props: NewestFirstTableProps<T>) {
  const { label, columns, hidden, rowHeight, answer, failedText, empty } = props
  const rows = answer.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {rows !== undefined && rows.length > 0 && (
        <TableFrame {...{ label, columns, hidden, rowHeight }}>
          <tbody>{rows.map(props.rowOf)}</tbody>
        </TableFrame>
      )}
      <ListState {...{ rows, answer, rowHeight, failedText, empty }} />
      {answer.hasNextPage && (
        <div className={classes.place}>
          <Button
            disabledReason={answer.isFetchingNextPage ? '' : null}
            onClick={() => void answer.fetchNextPage()}
          >
            {props.olderLabel}
          </Button>
        </div>
      )}
    </>
  )
}
