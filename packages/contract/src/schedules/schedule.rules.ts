/** When a schedule is due, by the clock of its time zone. Pure; Intl knows the zones and their rules. */
import { WEEKDAYS } from '../alarms/maintenance/maintenance.schema.ts'
import { DAY_MS, MINUTE_MS } from '../durations.ts'
import type { Action } from '../role-table.ts'
import { ON_AIR_RIGHTS } from '../on-air/on-air.rules.ts'
import type { ScheduleCommand, ScheduleKind, ScheduleTimes } from './schedule.schema.ts'

/** What a clock on the wall shows. */
export interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
}

/** Offsets are at most 14 hours, and a zone has jumped by a whole day. */
const ANY_OFFSET_MS = 1.5 * DAY_MS

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than using it a hundred times. Throws RangeError for what is no time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** What the clock of that zone shows at that moment. */
export function localTimeAt(ms: number, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(ms)
  const valueOf = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return {
    year: valueOf('year'),
    month: valueOf('month'),
    day: valueOf('day'),
    hour: valueOf('hour'),
    minute: valueOf('minute'),
  }
}

/** As if that clock showed UTC. */
function asUtcMs({ year, month, day, hour, minute }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** How far that zone is ahead of UTC, by the minute. */
function offsetMs(ms: number, timeZone: string): number {
  return asUtcMs(localTimeAt(ms, timeZone)) - Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

/**
 * The moment at which the clock of that zone shows that time. Of a time that comes twice, the first; for
 * one that the clock skips, the first moment after the gap.
 */
export function momentOf(local: LocalTime, timeZone: string): number {
  const wallMs = asUtcMs(local)
  const before = offsetMs(wallMs - ANY_OFFSET_MS, timeZone)
  const after = offsetMs(wallMs + ANY_OFFSET_MS, timeZone)
  const found = [before, after]
    .map((offset) => wallMs - offset)
    .filter((ms) => ms + offsetMs(ms, timeZone) === wallMs)
  if (found.length > 0) return Math.min(...found)
  return gapEnd(wallMs - after, wallMs - before, timeZone)
}

/** The minute after `fromMs`, up to `toMs`, from which on the clock has jumped. */
function gapEnd(fromMs: number, toMs: number, timeZone: string): number {
  const offset = offsetMs(toMs, timeZone)
  let [low, high] = [fromMs, toMs]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetMs(middle, timeZone) === offset) high = middle
    else low = middle
  }
  return high
}

/** The first moment later than `afterMs` at which it is due; null: never again. */
export function nextMomentMs(times: ScheduleTimes, afterMs: number): number | null {
  if (times.repeats === 'once') {
    const atMs = Date.parse(times.at)
    return atMs > afterMs ? atMs : null
  }
  const { days, timeZone } = times
  const [hour = 0, minute = 0] = times.time.split(':').map(Number)
  const today = localTimeAt(afterMs, timeZone)
  // From yesterday, whose time a gap may have moved, to the same day in a week.
  for (let day = -1; day <= WEEKDAYS.length + 1; day += 1) {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + day))
    const weekday = WEEKDAYS[date.getUTCDay()]
    if (weekday === undefined || !days.includes(weekday)) continue
    const local = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour,
      minute,
    }
    const atMs = momentOf(local, timeZone)
    if (atMs > afterMs) return atMs
  }
  return null
}

/**
 * The first moment later than `afterMs` whose minute both are due in; null where none comes within a week
 * of the first. Zones that change their clocks on different days may meet later.
 */
export function sharedMomentMs(a: ScheduleTimes, b: ScheduleTimes, afterMs: number): number | null {
  if (b.repeats === 'once' && a.repeats !== 'once') return sharedMomentMs(b, a, afterMs)
  let first = nextMomentMs(a, afterMs)
  if (first === null) return null
  // A single moment may be far away: the other is looked at around it.
  let second = nextMomentMs(b, a.repeats === 'once' ? first - MINUTE_MS : afterMs)
  const lastMs = Math.max(first, second ?? first) + WEEKDAYS.length * DAY_MS
  while (first !== null && second !== null && Math.min(first, second) <= lastMs) {
    if (minuteOf(first) === minuteOf(second)) return Math.max(first, second)
    if (first < second) first = nextMomentMs(a, first)
    else second = nextMomentMs(b, second)
  }
  return null
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS)
}

/** Who may command an object may schedule that. */
export function rightOf(kind: ScheduleKind, command: ScheduleCommand): Action {
  return command === 'switch' ? 'selectInput' : ON_AIR_RIGHTS[kind]
}

/** A stream has sources, what a program reads is its configuration. */
export function commandsOf(kind: ScheduleKind): readonly ScheduleCommand[] {
  return kind === 'channel' ? ['start', 'stop', 'switch'] : ['start', 'stop']
}
