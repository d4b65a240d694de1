/** What is said about schedules, beside an object and in their dialog. */
import type {
  RunOutcome,
  ScheduleCommand,
  ScheduleMark,
} from '@trunkline/contract/schedules/schedule.schema'
import { DATE_LOCALE } from '../../lib/locale/language.ts'
import { TIME_ZONE, ZONE_WORD } from '../../lib/locale/time-zone.ts'

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
  return new Intl.DateTimeFormat(DATE_LOCALE, { timeZone, ...time, ...more })
    .format(ms)
    .replaceAll(',', '')
}

const DATE = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** 'Fri 27 Nov 18:00 Europe/Paris (17:00 UTC)'; with the day of the page's clock where that is another. */
export function momentText(at: string, timeZone: string): string {
  const ms = Date.parse(at)
  const there = zoned(ms, timeZone, DATE)
  const here = zoned(ms, TIME_ZONE, DATE)
  if (there === here) return `${there} ${timeZone}`
  const isSameDay = there.slice(0, -5) === here.slice(0, -5)
  return `${there} ${timeZone} (${isSameDay ? here.slice(-5) : here} ${ZONE_WORD})`
}

/** 'Stops 17:00 UTC' */
export function nextText({ command, at }: NonNullable<ScheduleMark['next']>): string {
  return `${COMES_WORDS[command]} ${zoned(Date.parse(at), TIME_ZONE, {})} ${ZONE_WORD}`
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
