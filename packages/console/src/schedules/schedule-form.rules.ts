/** The form of a schedule: its values, and what is wrong with them. */
import type { Weekday } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { MINUTE_MS } from '@trunkline/contract/durations'
import {
  isTimeZone,
  localTimeAt,
  momentOf,
  nextMomentMs,
  sharedMomentMs,
} from '@trunkline/contract/schedules/schedule.rules'
import {
  ScheduleContent,
  ScheduleTimes,
  type ScheduleCommand,
  type ScheduleSource,
  type Schedule,
} from '@trunkline/contract/schedules/schedule.schema'
import {
  type FieldNames,
  formFieldOf,
  schemaFaults,
  sentenceOf,
} from '../forms/field-faults.rules.ts'

export interface ScheduleValues {
  command: ScheduleCommand
  /** Its place in the list of sources, from 0; '' for none. */
  source: string
  repeats: ScheduleTimes['repeats']
  /** '2026-11-27 18:00', by the clock of the zone. */
  at: string
  days: readonly Weekday[]
  /** '18:00', by the clock of the zone. */
  time: string
  timeZone: string
  alsoOnAir: 'no' | 'yes'
  note: string
}

export const SCHEDULE_LABELS = {
  command: 'What',
  source: 'Source',
  repeats: 'When',
  at: 'Date and time',
  days: 'Days',
  time: 'Time',
  timeZone: 'Time zone',
  alsoOnAir: 'While on air',
  note: 'Note',
} as const satisfies Record<keyof ScheduleValues, string>

export const SCHEDULE_FIELDS: FieldNames<keyof ScheduleValues> = [
  ['command', 'command'],
  ['source', 'source'],
  ['times.at', 'at'],
  ['times.days', 'days'],
  ['times.timeZone', 'timeZone'],
  ['times.time', 'time'],
  ['times', 'repeats'],
  ['alsoOnAir', 'alsoOnAir'],
  ['note', 'note'],
]

/** '2026-11-27 18:00' */
export function localText(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(ms, timeZone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`
}

/** '7:30' is typed for 07:30, also behind a date. */
function withFullHour(text: string): string {
  return text.trim().replace(/(^| )(\d:)/, '$10$2')
}

/** ISO 8601 of what `localText` writes; null for anything else, such as the 31st of November. */
export function isoOfLocalText(typed: string, timeZone: string): string | null {
  const text = withFullHour(typed)
  const found = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/.exec(text)
  if (found === null || !isTimeZone(timeZone)) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute))
  const isDate = date.toISOString().slice(0, 16).replace('T', ' ') === text
  if (!isDate) return null
  return new Date(momentOf({ year, month, day, hour, minute }, timeZone)).toISOString()
}

const FIRST_IN_MS = 60 * MINUTE_MS

/** Of a new schedule: once, in an hour, by the clock of this browser. */
export function newValues(nowMs: number, timeZone: string): ScheduleValues {
  const local = localText(nowMs + FIRST_IN_MS, timeZone)
  return {
    command: 'start',
    source: '',
    repeats: 'once',
    at: local,
    days: [],
    time: local.slice(-5),
    timeZone,
    alsoOnAir: 'no',
    note: '',
  }
}

export function valuesOf(schedule: Schedule, nowMs: number): ScheduleValues {
  const { command, source, times, alsoOnAir, note } = schedule
  return {
    ...newValues(nowMs, times.timeZone),
    command,
    source: source === null ? '' : String(source.index),
    repeats: times.repeats,
    ...(times.repeats === 'once'
      ? { at: localText(Date.parse(times.at), times.timeZone) }
      : { days: times.days, time: times.time }),
    alsoOnAir: alsoOnAir ? 'yes' : 'no',
    note,
  }
}

function timesOf({ repeats, at, days, time, timeZone }: ScheduleValues): unknown {
  return repeats === 'once'
    ? { repeats, at: isoOfLocalText(at, timeZone), timeZone }
    : { repeats, days, time: withFullHour(time), timeZone }
}

/** `sources`: of the channel, as they are now. */
export function contentOf(values: ScheduleValues, sources: readonly ScheduleSource[]): unknown {
  const { command, source, alsoOnAir, note } = values
  const chosen = sources.find(({ index }) => String(index) === source) ?? null
  return {
    command,
    source: command === 'switch' ? chosen : null,
    times: timesOf(values),
    alsoOnAir: alsoOnAir === 'yes',
    note,
  }
}

export function checkSchedule(
  values: ScheduleValues,
  sources: readonly ScheduleSource[],
  nowMs: number,
): Partial<Record<keyof ScheduleValues, string>> {
  const faults: Partial<Record<keyof ScheduleValues, string>> = {}
  for (const { field, message } of schemaFaults(ScheduleContent, contentOf(values, sources))) {
    const name = formFieldOf(SCHEDULE_FIELDS, field)
    if (name !== null) faults[name] ??= sentenceOf(SCHEDULE_LABELS[name], message)
  }
  const { command, source, repeats, at, timeZone } = values
  if (command === 'switch' && !sources.some(({ index }) => String(index) === source)) {
    faults.source = 'Choose the source to switch to.'
  }
  if (repeats === 'once' && faults.timeZone === undefined) {
    const iso = isoOfLocalText(at, timeZone)
    if (iso === null) faults.at = `${SCHEDULE_LABELS.at} must be a time such as 2026-11-27 18:00.`
    else if (Date.parse(iso) <= nowMs) faults.at = `${SCHEDULE_LABELS.at} must be in the future.`
  }
  return faults
}

/** When it would be due first; null while that cannot be said. */
export function firstAt(values: ScheduleValues, nowMs: number): string | null {
  const { data } = ScheduleTimes.safeParse(timesOf(values))
  const nextMs = data === undefined ? null : nextMomentMs(data, nowMs)
  return nextMs === null ? null : new Date(nextMs).toISOString()
}

/** The first of the enabled others that is due at a minute of this one, and when; null for none. */
export function sharedWith(
  values: ScheduleValues,
  others: readonly Schedule[],
  nowMs: number,
): { other: Schedule; at: string } | null {
  const { data } = ScheduleTimes.safeParse(timesOf(values))
  if (data === undefined) return null
  for (const other of others) {
    const atMs = other.isEnabled ? sharedMomentMs(data, other.times, nowMs) : null
    if (atMs !== null) return { other, at: new Date(atMs).toISOString() }
  }
  return null
}
