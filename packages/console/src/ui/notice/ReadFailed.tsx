import { Button } from '../button/Button.tsx'

interface ReadFailedProps {
  /** What could not be read, as a sentence. */
  sentence: string
  className: string | undefined
  onRetry: () => void
}

export function ReadFailed({ sentence, className, onRetry }: ReadFailedProps) {
  return (
    <p className={className}>
      {sentence}{' '}
      <Button size={28} onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
