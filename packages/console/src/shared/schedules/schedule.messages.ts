/** What is said about schedules, beside an object and in their dialog. */
import type {
  RunOutcome,
  ScheduleCommand,
  ScheduleMark,
} from '@trunkline/contract/schedules/schedule.schema'

export const COMMAND_WORDS: Readonly<Record<ScheduleCommand, string>> = {
  start: 'Start',
  stop: 'Stop',
  switch: 'Switch source',
}

const COMES_WORDS: Readonly<Record<ScheduleCommand, string>> = {
  start: 'Starts',
  stop: 'Stops',
  switch: 'Switches source',
}

export const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  refused: 'refused',
  missed: 'missed',
}

function zoned(ms: number, timeZone: string, more: Intl.DateTimeFormatOptions): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...time, ...more })
    .format(ms)
    .replaceAll(',', '')
}

const DATE = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** 'Fri 27 Nov 18:00 Europe/Paris (17:00 UTC)'; with the day of UTC where that is another. */
export function momentText(at: string, timeZone: string): string {
  const ms = Date.parse(at)
  const there = zoned(ms, timeZone, DATE)
  const utc = zoned(ms, 'UTC', DATE)
  if (there === utc) return `${there} ${timeZone}`
  const isSameDay = there.slice(0, -5) === utc.slice(0, -5)
  return `${there} ${timeZone} (${isSameDay ? utc.slice(-5) : utc} UTC)`
}

/** 'Stops 17:00 UTC' */
export function nextText({ command, at }: NonNullable<ScheduleMark['next']>): string {
  return `${COMES_WORDS[command]} ${zoned(Date.parse(at), 'UTC', {})} UTC`
}

export function nextDetail({ command, at, timeZone }: NonNullable<ScheduleMark['next']>): string {
  return `${COMES_WORDS[command]} ${momentText(at, timeZone)}`
}

/** 'Stop missed' */
export function problemText({ command, outcome }: NonNullable<ScheduleMark['problem']>): string {
  return `${COMMAND_WORDS[command]} ${OUTCOME_WORDS[outcome]}`
}

export function problemDetail(problem: NonNullable<ScheduleMark['problem']>): string {
  const { dueAt, timeZone, sentence } = problem
  return `${problemText(problem)}, scheduled for ${momentText(dueAt, timeZone)}. ${sentence}`.trim()
}
