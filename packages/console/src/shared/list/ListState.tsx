/** What stands in a list's place while it is read, failed, empty, or matches nothing. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { OldAnswer } from '../page/OldAnswer.tsx'
import classes from './ListState.module.css'

interface ListStateProps {
  /** The last answer, old or new: undefined while none came. */
  rows: readonly unknown[] | undefined
  answer: UseQueryResult
  rowHeight: number
  /** 'The list of channels could not be read.' */
  failedText: string
  /** What was searched for; '' for nothing. */
  search: string
  onClear: () => void
  /** What this list is, when there is nothing in it. */
  empty: ReactNode
}

const SKELETON_ROWS = 6

export function ListState(props: ListStateProps) {
  const { answer } = props
  if (props.rows === undefined && answer.error === null) {
    return <Skeleton kind="row" count={SKELETON_ROWS} height={props.rowHeight} />
  }
  if (props.rows === undefined) {
    return (
      <div className={classes.place}>
        <NotRead
          title={props.failedText}
          error={answer.error}
          onRetry={() => void answer.refetch()}
        />
      </div>
    )
  }
  return (
    <>
      {answer.error !== null && (
        <div className={classes.place}>
          <OldAnswer answer={answer} failedText={props.failedText} />
        </div>
      )}
      {props.rows.length === 0 && (
        <div className={classes.place}>
          {props.search === '' ? (
            props.empty
          ) : (
            <Empty
              title={`Nothing matches '${props.search}'`}
              action={<Button onClick={props.onClear}>Clear</Button>}
            />
          )}
        </div>
      )}
    </>
  )
}
