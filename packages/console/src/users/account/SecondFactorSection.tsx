/** Whether somebody signs in with a second factor, and the button that changes it. */
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { OldAnswer } from '../../shared/page/OldAnswer.tsx'
import { ReadFailed } from '../../ui/notice/ReadFailed.tsx'
import {
  factorText,
  READING,
  SECOND_FACTOR,
  SECOND_FACTOR_FAILED,
  type SecondFactor,
} from '../user.messages.ts'
import { secondFactorQuery } from '../user.queries.ts'
import classes from './SecondFactor.module.css'

interface SecondFactorSectionProps {
  userId: string
  /** While it is off, as its reader is spoken to. */
  offText: string
  action: (factor: SecondFactor) => ReactNode
}

export function SecondFactorSection({ userId, offText, action }: SecondFactorSectionProps) {
  const titleId = useId()
  const answer = useQuery(secondFactorQuery(userId))
  const { data, isError, error, refetch } = answer
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h3 id={titleId}>{SECOND_FACTOR}</h3>
      <OldAnswer answer={answer} failedText={SECOND_FACTOR_FAILED} />
      {data === undefined && isError && (
        <ReadFailed
          sentence={SECOND_FACTOR_FAILED}
          error={error}
          className={undefined}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && !isError && <p>{READING}</p>}
      {data !== undefined && (
        <>
          <p>{factorText(data, offText)}</p>
          {action(data)}
        </>
      )}
    </section>
  )
}
