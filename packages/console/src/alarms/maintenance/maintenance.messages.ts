/** What the maintenance windows say. */
import type { WindowTimes } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { TIMES } from '../../lib/locale/time-zone.ts'
import { clockText } from '../../shared/clock-text.rules.ts'
import { KIND_WORDS } from '../../shared/kind.messages.ts'
import { daysText } from '../../shared/weekday.messages.ts'

export const LIST_FAILED = 'The list of maintenance windows could not be read.'
export const ADDED = 'Maintenance planned'
export const UPDATED = 'Maintenance changed'
export const DELETED = 'Maintenance window deleted'
export const SAVE_FAILED = 'The maintenance window was not saved.'
export const DELETE_FAILED = 'The maintenance window was not deleted.'
export const REMOVED_TITLE = 'Removed'

export const COVERED_WORDS = { group: 'Group', ...KIND_WORDS } as const

/** 'Mon, Wed 02:30 for 1:30'; of a window that is planned once its start and its end. */
export function timesText(times: WindowTimes): string {
  if (times.repeats === 'once')
    return `${clockText(Date.parse(times.from))} to ${clockText(Date.parse(times.until))}`
  // What comes every week is kept in UTC, which the heading names only where the page shows UTC.
  const startsAt = TIMES === 'utc' ? times.startsAt : `${times.startsAt} UTC`
  return `${daysText(times.days)} ${startsAt} for ${hoursText(times.minutes)}`
}

/** '1:30' */
export function hoursText(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** The object of the question, and what becomes of one that is on. */
export function deleteSentences(title: string, isOn: boolean): readonly string[] {
  return [
    `Delete the maintenance window '${title}'?`,
    isOn
      ? 'It is active: the alarms that it silences are signalled again at once.'
      : 'Alarms will be signalled at the times that it covers.',
  ]
}
