/** Whether somebody signs in with a second factor, and the button that changes it. */
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
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
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h3 id={titleId}>{SECOND_FACTOR}</h3>
      <QueryContent answer={answer} failedText={SECOND_FACTOR_FAILED} waiting={<p>{READING}</p>}>
        {(factor) => (
          <>
            <p>{factorText(factor, offText)}</p>
            {action(factor)}
          </>
        )}
      </QueryContent>
    </section>
  )
}
