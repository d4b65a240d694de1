import { ApiError, sentenceFor } from '../lib/api-error.ts'
import { Button } from '../ui/button/Button.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { PATH_FAILED, PATH_FAILED_FIX, PATH_GONE } from './path.messages.ts'

/** Why there is no path to show, and what can be done. */
export function PathFailure({ failure, retry }: { failure: unknown; retry: () => void }) {
  if (failure instanceof ApiError && failure.status === 404) return <Empty title={PATH_GONE} />
  return (
    <Empty
      title={PATH_FAILED}
      action={
        <Button size={28} onClick={retry}>
          Retry
        </Button>
      }
    >
      {sentenceFor(failure, PATH_FAILED_FIX)}
    </Empty>
  )
}
