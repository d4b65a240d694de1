/** The days of a week, as people read it. */
import type { Weekday } from '@trunkline/contract/alarms/maintenance/maintenance.schema'

const DAY_WORDS = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
} as const satisfies Record<Weekday, string>

export const DAY_CHOICES = Object.entries(DAY_WORDS).map(([value, label]) => ({
  value: value as Weekday,
  label,
}))

/** Of what was ticked: the days in the order of the week. */
export function weekdaysIn(chosen: readonly string[]): Weekday[] {
  return DAY_CHOICES.map(({ value }) => value).filter((day) => chosen.includes(day))
}

/** 'Mon, Wed', 'Daily'. */
export function daysText(days: readonly Weekday[]): string {
  const words = weekdaysIn(days).map((day) => DAY_WORDS[day])
  return words.length === DAY_CHOICES.length ? 'Daily' : words.join(', ')
}
