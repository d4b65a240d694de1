/** What a query has read: until then a skeleton, or why it could not be read; an old answer says so. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ReadFailed } from '../../ui/notice/ReadFailed.tsx'
import { OldAnswer, type ReadAnswer } from './OldAnswer.tsx'

interface QueryContentProps<T> {
  answer: ReadAnswer & Pick<UseQueryResult<T>, 'data'>
  /** 'The schedules could not be read.' */
  failedText: string
  /** Of the sentence that it could not be read. */
  failedClass?: string | undefined
  /** While it is read for the first time. */
  waiting: ReactNode
  children: (data: T) => ReactNode
}

export function QueryContent<T>(props: QueryContentProps<T>) {
  const { answer, failedText } = props
  const { data, error } = answer
  if (data !== undefined) {
    return (
      <>
        <OldAnswer answer={answer} failedText={failedText} />
        {props.children(data)}
      </>
    )
  }
  if (error === null) return props.waiting
  return (
    <ReadFailed
      sentence={failedText}
      error={error}
      className={props.failedClass}
      onRetry={() => void answer.refetch()}
    />
  )
}
