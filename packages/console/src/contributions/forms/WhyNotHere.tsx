/** What a form could not be opened for, and what to do. */
import { ApiError } from '../../lib/api-error.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { LinkKind } from '../link.rules.ts'
import { NO_ANSWER, NO_FEEDER, NOT_READ, NOT_THERE, NOT_THERE_WHY } from './not-here.messages.ts'

interface WhyNotHereProps {
  /** Of the page. */
  kind: LinkKind
  /** What it cannot do without. */
  missing: LinkKind | 'feeder'
  error: Error | 'not-there'
  onRetry: () => void
}

export function WhyNotHere({ kind, missing, error, onRetry }: WhyNotHereProps) {
  const isGone = error === 'not-there' || (error instanceof ApiError && error.status === 404)
  if (isGone) {
    return (
      <Empty title={missing === 'feeder' ? NO_FEEDER : NOT_THERE[missing]}>{NOT_THERE_WHY}</Empty>
    )
  }
  return (
    <Empty
      title={NOT_READ[missing === 'feeder' ? kind : missing]}
      action={<Button onClick={onRetry}>Retry</Button>}
    >
      {NO_ANSWER}
    </Empty>
  )
}
