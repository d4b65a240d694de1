/** What stands in a list's place while it is read, failed, empty, or matches nothing. */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { Band, Empty } from '../../ui/notice/Notice.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { clockTimeText } from '../format.ts'
import classes from './ListState.module.css'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

interface ListStateProps {
  /** The last answer, old or new: undefined while none came. */
  rows: readonly unknown[] | undefined
  /** Why the last read failed; null while it did not. */
  error: Error | null
  /** When the last good answer came. */
  readAtMs: number
  rowHeight: number
  /** 'The list of channels could not be read.' */
  failedText: string
  /** What was searched for; '' for nothing. */
  search: string
  onRetry: () => void
  onClear: () => void
  /** What this list is, when there is nothing in it. */
  empty: ReactNode
}

const SKELETON_ROWS = 6

export function ListState(props: ListStateProps) {
  const retry = <Button onClick={props.onRetry}>Retry</Button>
  if (props.rows === undefined && props.error === null) {
    return <Skeleton kind="row" count={SKELETON_ROWS} height={props.rowHeight} />
  }
  if (props.rows === undefined) {
    return (
      <div className={classes.place}>
        <NotRead title={props.failedText} error={props.error} onRetry={props.onRetry} />
      </div>
    )
  }
  return (
    <>
      {props.error !== null && (
        <div className={classes.place}>
          <Band family="blind" shape="diamond-question" action={retry}>
            {props.failedText} Shown as of {clockTimeText(props.readAtMs)} {ZONE_WORD}.
          </Band>
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
