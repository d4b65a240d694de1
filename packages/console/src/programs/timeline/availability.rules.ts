import type { DayAvailability, DayCounts } from '@trunkline/contract/events/event.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { numberText, UNKNOWN } from '../../shared/format.ts'

/** '99.98 %', rounded down: less than the whole is never called 100 %. */
export function availabilityText(share: number | null): string {
  if (share === null) return UNKNOWN
  if (share === 1) return '100 %'
  return `${decimalText(Math.floor(share * 10_000) / 100, 2)} %`
}

/** '0.12 % lost, 14 too late', '0.3 % sent again'; '' where nothing was counted. */
export function lossText(counted: DayCounts | null): string {
  if (counted === null || counted.packets === 0) return ''
  const { packets, lostPackets, retransmittedPackets, droppedPackets } = counted
  if (lostPackets === null || droppedPackets === null) {
    return `${shareText(retransmittedPackets, packets)} sent again`
  }
  const share = `${shareText(lostPackets, packets + droppedPackets)} lost`
  return droppedPackets === 0 ? share : `${share}, ${numberText(droppedPackets)} for good`
}

/** Rounded up: a loss is never called none. */
function shareText(part: number, whole: number): string {
  const hundredths = Math.min(10_000, Math.ceil((part / Math.max(1, whole)) * 10_000))
  return hundredths === 0 ? '0 %' : `${decimalText(hundredths / 100, 2)} %`
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
