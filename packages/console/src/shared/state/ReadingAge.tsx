import { useBrowserNow } from '../../lib/clock.ts'
import { agoText } from '../format.ts'

/** '4 s ago': how old what stands beside it is. `cameAtMs` by this browser's clock. */
export function ReadingAge({ cameAtMs }: { cameAtMs: number | null }) {
  const nowMs = useBrowserNow()
  if (cameAtMs === null) return null
  return <>{agoText(nowMs - cameAtMs)}</>
}
