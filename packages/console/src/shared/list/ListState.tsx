/** What stands in a list's place while it is read, failed, or empty. */
import type { ReactNode } from 'react'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { OldAnswer, type ReadAnswer } from '../page/OldAnswer.tsx'
import classes from './ListState.module.css'

interface NotYetProps {
  answer: ReadAnswer
  rowHeight: number
  /** 'The list of channels could not be read.' */
  failedText: string
}

const SKELETON_ROWS = 6

/** In place of rows, none of which came. */
export function NotYet({ answer, rowHeight, failedText }: NotYetProps) {
  if (answer.error === null) {
    return <Skeleton kind="row" count={SKELETON_ROWS} height={rowHeight} />
  }
  return (
    <div className={classes.place}>
      <NotRead title={failedText} error={answer.error} onRetry={() => void answer.refetch()} />
    </div>
  )
}

interface ListStateProps extends NotYetProps {
  /** The last answer, old or new: undefined while none came. */
  rows: readonly unknown[] | undefined
  /** Why there is nothing in it. */
  empty: ReactNode
}

export function ListState(props: ListStateProps) {
  const { answer, rows, failedText } = props
  if (rows === undefined) return <NotYet {...props} />
  return (
    <>
      {answer.error !== null && (
        <div className={classes.place}>
          <OldAnswer answer={answer} failedText={failedText} />
        </div>
      )}
      {rows.length === 0 && <div className={classes.place}>{props.empty}</div>}
    </>
  )
}
