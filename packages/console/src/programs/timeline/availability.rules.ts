import type { DayAvailability } from '@trunkline/contract/events/event.schema'
import { UNKNOWN } from '../../shared/format.ts'

/** '99.98 %', rounded down: less than the whole is never called 100 %. */
export function availabilityText(share: number | null): string {
  if (share === null) return UNKNOWN
  if (share === 1) return '100 %'
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`
}

/** Nobody wanted it, or it was not there yet. */
export function isEmpty({ upMs, downMs, unknownMs }: DayAvailability): boolean {
  return upMs + downMs + unknownMs === 0
}

/** Newest first, up to the oldest day of which there is something to say; today in any case. */
export function withoutEmptyEnd(days: readonly DayAvailability[]): readonly DayAvailability[] {
  const last = days.findLastIndex((day) => !isEmpty(day))
  return days.slice(0, Math.max(1, last + 1))
}
