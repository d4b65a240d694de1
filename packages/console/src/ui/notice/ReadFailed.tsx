import { readFailureText } from '../../lib/api-error.ts'
import { Button } from '../button/Button.tsx'
import classes from './ReadFailed.module.css'

interface ReadFailedProps {
  /** What could not be read, as a sentence; the reason follows it. */
  sentence: string
  error: unknown
  className: string | undefined
  onRetry: () => void
}

export function ReadFailed({ sentence, error, className, onRetry }: ReadFailedProps) {
  return (
    <p className={[classes.failed, className].filter(Boolean).join(' ')}>
      <span>
        {sentence} {readFailureText(error)}
      </span>
      <Button size={28} onClick={onRetry}>
        Retry
      </Button>
    </p>
  )
}
