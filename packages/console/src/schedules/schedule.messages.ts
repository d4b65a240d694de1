/** What the dialog of schedules says. */
import { daysText } from '../shared/weekday.messages.ts'
import type { Schedule, ScheduleRun } from '@trunkline/contract/schedules/schedule.schema'
import { momentText, OUTCOME_WORDS } from '../shared/schedules/schedule.messages.ts'

export const OVER_WHY = 'Its time has passed. Change its date and time to use it again.'
export const LIST_FAILED = 'The schedules could not be read.'
export const ADDED = 'Schedule added'
export const UPDATED = 'Schedule changed'
export const ENABLED = 'Schedule enabled'
export const DISABLED = 'Schedule disabled'
export const DELETED = 'Schedule deleted'
export const SAVE_FAILED = 'The schedule was not saved.'
export const DELETE_FAILED = 'The schedule was not deleted.'

/** 'Mon, Fri 18:00 Europe/Paris', 'Fri 27 Nov 18:00 Europe/Paris (17:00 UTC)'. */
export function timesText({ times }: Pick<Schedule, 'times'>): string {
  if (times.repeats === 'once') return momentText(times.at, times.timeZone)
  return `${daysText(times.days)} ${times.time} ${times.timeZone}`
}

/** When a schedule that is being filled in is carried out, or for the first time. */
export function firstText(repeats: Schedule['times']['repeats'], moment: string): string {
  return repeats === 'once' ? `On ${moment}.` : `First on ${moment}.`
}

/** `name`: of the other. */
export function sharedText(name: string, moment: string): string {
  return `'${name}' is due at the same minute, ${moment}. Either may be carried out first. Choose another time if the order matters.`
}

/** 'Next Fri 27 Nov 18:00 Europe/Paris (17:00 UTC)'; of what comes once that stands there already. */
export function stateText({ times, isEnabled, nextAt }: Schedule): string {
  if (!isEnabled) return 'Disabled'
  if (nextAt === null) return 'Over'
  return times.repeats === 'once' ? 'To come' : `Next ${momentText(nextAt, times.timeZone)}`
}

/** 'Last run: missed, Fri 27 Nov 18:00 Europe/Paris (17:00 UTC). …' What is due once says its moment already. */
export function runText(
  { dueAt, outcome, sentence }: ScheduleRun,
  { repeats, timeZone }: Schedule['times'],
): string {
  const when = repeats === 'once' ? '' : `, ${momentText(dueAt, timeZone)}`
  return `Last run: ${OUTCOME_WORDS[outcome]}${when}. ${sentence}`.trim()
}

export function deleteSentences(what: string): readonly string[] {
  return [`Delete the schedule '${what}'?`, 'It is not carried out any more.']
}
