import { useApiNow } from '../../lib/live/live-hooks.ts'
import { durationText } from '../format.ts'

/** How long something lasts already, ticking. `sinceMs` by the API's clock. */
export function Age({ sinceMs }: { sinceMs: number }) {
  return <time>{durationText(useApiNow() - sinceMs)}</time>
}
