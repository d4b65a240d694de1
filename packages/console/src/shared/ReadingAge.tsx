import { useBrowserNow } from '../lib/clock.ts'
import { durationText } from './format.ts'

const MINUTE_MS = 60_000

/** '4 s ago': how old what stands beside it is. `cameAtMs` by this browser's clock. */
export function ReadingAge({ cameAtMs }: { cameAtMs: number | null }) {
  const nowMs = useBrowserNow()
  if (cameAtMs === null) return null
  const ageMs = Math.max(0, nowMs - cameAtMs)
  return <>{ageMs < MINUTE_MS ? `${Math.floor(ageMs / 1000)} s` : durationText(ageMs)} ago</>
}
