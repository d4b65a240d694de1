/** In place of what could not be read: what it is, why it failed, and a button that reads it again. */
import { readFailureText } from '../../lib/api-error.ts'
import { Button } from '../button/Button.tsx'
import { Empty } from './Notice.tsx'

interface NotReadProps {
  /** 'The list of channels could not be read' */
  title: string
  error: unknown
  onRetry: () => void
}

export function NotRead({ title, error, onRetry }: NotReadProps) {
  return (
    <Empty title={title} action={<Button onClick={onRetry}>Retry</Button>}>
      {readFailureText(error)}
    </Empty>
  )
}
