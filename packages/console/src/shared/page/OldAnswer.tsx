/** Over what stays on the screen although reading it again failed: as of when it is, and Retry. */
import type { UseQueryResult } from '@tanstack/react-query'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { clockTimeText } from '../format.ts'
import classes from './OldAnswer.module.css'

/** Of a query, whatever it reads. */
export type ReadAnswer = Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>

interface OldAnswerProps {
  answer: ReadAnswer
  /** 'The schedules could not be read.' */
  failedText: string
}

/** Nothing while the last read succeeded, and while there is nothing yet that could be old. */
export function OldAnswer({ answer, failedText }: OldAnswerProps) {
  if (answer.data === undefined || answer.error === null) return null
  return (
    <div className={classes.place}>
      <Band
        family="blind"
        shape="diamond-question"
        action={<Button onClick={() => void answer.refetch()}>Retry</Button>}
      >
        {failedText} Shown as of {clockTimeText(answer.dataUpdatedAt)} {ZONE_WORD}.
      </Band>
    </div>
  )
}
