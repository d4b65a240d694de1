/** When a maintenance window is on. Pure. */
import { WEEKDAYS, type WindowTimes } from './maintenance.schema.ts'

export interface Span {
  fromMs: number
  untilMs: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The span that holds that moment, or else the next; null: it is over for good. */
export function spanAt(times: WindowTimes, nowMs: number): Span | null {
  const spans = times.repeats === 'once' ? [onceOf(times)] : weekOf(times, nowMs)
  return spans.find(({ untilMs }) => untilMs > nowMs) ?? null
}

/** Until when it is on; null: it is not on at that moment. */
export function activeUntilMs(times: WindowTimes, nowMs: number): number | null {
  const span = spanAt(times, nowMs)
  return span !== null && span.fromMs <= nowMs ? span.untilMs : null
}

/** When it begins or ends next; null: never again. */
export function nextChangeMs(times: WindowTimes, nowMs: number): number | null {
  const span = spanAt(times, nowMs)
  if (span === null) return null
  return span.fromMs <= nowMs ? span.untilMs : span.fromMs
}

function onceOf({ from, until }: Extract<WindowTimes, { repeats: 'once' }>): Span {
  return { fromMs: Date.parse(from), untilMs: Date.parse(until) }
}

/** From the day before, whose span may reach into today, to this day in a week; in order. */
function weekOf(times: Extract<WindowTimes, { repeats: 'weekly' }>, nowMs: number): Span[] {
  const { days, startsAt, minutes } = times
  const [hour = 0, minute = 0] = startsAt.split(':').map(Number)
  const today = nowMs - (nowMs % DAY_MS)
  const spans: Span[] = []
  for (let day = -1; day <= WEEKDAYS.length; day += 1) {
    const midnight = today + day * DAY_MS
    const weekday = WEEKDAYS[new Date(midnight).getUTCDay()]
    if (weekday === undefined || !days.includes(weekday)) continue
    const fromMs = midnight + (hour * 60 + minute) * MINUTE_MS
    spans.push({ fromMs, untilMs: fromMs + minutes * MINUTE_MS })
  }
  return spans
}
