/** The form of a maintenance window: its values, and what is wrong with them. */
import {
  MaintenanceDraft,
  type MaintenanceWindow,
  type CoveredKind,
  type Weekday,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import {
  type FieldNames,
  formFieldOf,
  schemaFaults,
  sentenceOf,
} from '../../forms/field-faults.rules.ts'
import { isoOfClockText, CLOCK_TEXT_FAULT, clockText } from '../../shared/clock-text.rules.ts'
import { hoursText } from './maintenance.messages.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

export interface WindowValues {
  title: string
  kind: CoveredKind
  /** '' for none yet. */
  id: string
  repeats: 'once' | 'weekly'
  /** '2026-11-20 02:00', as the clock of the page. */
  from: string
  until: string
  days: readonly Weekday[]
  /** '02:30', UTC. */
  startsAt: string
  /** '1:30' */
  lasts: string
}

export const WINDOW_LABELS = {
  title: 'Title',
  kind: 'Covers',
  id: 'Which',
  repeats: 'Repeats',
  from: `From (${ZONE_WORD})`,
  until: `Until (${ZONE_WORD})`,
  days: 'Days',
  startsAt: 'Starts at (UTC)',
  lasts: 'Lasts (h:mm)',
} as const satisfies Record<keyof WindowValues, string>

export const WINDOW_FIELDS: FieldNames<keyof WindowValues> = [
  ['title', 'title'],
  ['covers.kind', 'kind'],
  ['covers', 'id'],
  ['times.from', 'from'],
  ['times.until', 'until'],
  ['times.days', 'days'],
  ['times.startsAt', 'startsAt'],
  ['times.minutes', 'lasts'],
  ['times', 'repeats'],
]

/** What it covers when it is opened from an object, else a group that is to be chosen. */
export type StartCovers = Pick<WindowValues, 'kind' | 'id'>

const MINUTE_MS = 60_000
const FIRST_LENGTH_MS = 2 * 60 * MINUTE_MS

/** Of a new window: from now, for two hours. */
export function newValues(covers: StartCovers, nowMs: number): WindowValues {
  const fromMs = nowMs - (nowMs % MINUTE_MS)
  return {
    title: '',
    ...covers,
    repeats: 'once',
    from: clockText(fromMs),
    until: clockText(fromMs + FIRST_LENGTH_MS),
    days: [],
    startsAt: '02:00',
    lasts: '2:00',
  }
}

export function valuesOf({ title, covers, times }: MaintenanceWindow, nowMs: number): WindowValues {
  const start = newValues({ kind: covers.kind, id: covers.id }, nowMs)
  if (times.repeats === 'once') {
    const [from, until] = [times.from, times.until].map((text) => clockText(Date.parse(text)))
    return { ...start, title, from: from ?? '', until: until ?? '' }
  }
  const { repeats, days, startsAt, minutes } = times
  return { ...start, title, repeats, days, startsAt, lasts: hoursText(minutes) }
}

export function draftOf(values: WindowValues): unknown {
  const { title, kind, id, repeats, days, startsAt } = values
  const times =
    repeats === 'once'
      ? { repeats, from: isoOfClockText(values.from), until: isoOfClockText(values.until) }
      : { repeats, days, startsAt, minutes: minutesOf(values.lasts) }
  return { title, covers: { kind, id }, times }
}

export function checkWindow(values: WindowValues): Partial<Record<keyof WindowValues, string>> {
  const faults: Partial<Record<keyof WindowValues, string>> = {}
  for (const { field, message } of schemaFaults(MaintenanceDraft, draftOf(values))) {
    const name = formFieldOf(WINDOW_FIELDS, field)
    if (name !== null) faults[name] ??= sentenceOf(WINDOW_LABELS[name], message)
  }
  if (values.id === '') faults.id = 'Choose what it covers.'
  for (const name of ['from', 'until'] as const) {
    if (faults[name] === undefined || isoOfClockText(values[name]) !== null) continue
    faults[name] = `${WINDOW_LABELS[name]} ${CLOCK_TEXT_FAULT}`
  }
  return faults
}

/** NaN for what is no length. */
function minutesOf(typed: string): number {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(typed.trim()) ?? []
  return Number(hours) * 60 + Number(minutes)
}
