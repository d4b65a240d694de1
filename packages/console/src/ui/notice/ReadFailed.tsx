import { readFailureText } from '../../lib/api-error.ts'
import { Button } from '../button/Button.tsx'

interface ReadFailedProps {
  /** What could not be read, as a sentence; the reason follows it. */
  sentence: string
  error: unknown
  className: string | undefined
  onRetry: () => void
}

export function ReadFailed({ sentence, error, className, onRetry }: ReadFailedProps) {
  return (
    <p className={className}>
      {sentence} {readFailureText(error)}{' '}
      <Button size={28} onClick={onRetry}>
        Retry
      </Button>
    </p>
  )
}
