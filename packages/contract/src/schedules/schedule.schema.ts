/** Schedules: a command to an object at one moment, or weekly, in a time zone. */
import { z } from 'zod'
import { Weekday, WEEKDAYS } from '../alarms/maintenance/maintenance.schema.ts'
import { OnAirKind } from '../on-air/on-air.schema.ts'
import { Id, optionalLine, wholeNumberIn } from '../text.schema.ts'
import { isTimeZone } from './schedule.rules.ts'
import { Sentence } from '../sentence.schema.ts'

/** What can be commanded at a time: whatever can be on air. */
export const ScheduleKind = OnAirKind
export type ScheduleKind = z.infer<typeof ScheduleKind>

/** Of a channel start and stop switch its stream on and off; switch is to another of its sources. */
export const ScheduleCommand = z.enum(['start', 'stop', 'switch'])
export type ScheduleCommand = z.infer<typeof ScheduleCommand>

/** Each API process reads them whenever somebody asks for a list. */
export const SCHEDULES_AT_MOST = 2000
/** Of each schedule, the newest. */
export const RUNS_KEPT = 50
export const SCHEDULE_NOTE_CHARACTERS = 120

const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Paris or UTC.')

/** In its time zone; what the clock skips or has twice: schedule.rules.ts. */
export const ScheduleTimes = z.discriminatedUnion('repeats', [
  z.strictObject({
    repeats: z.literal('once'),
    at: z.iso.datetime('must be a time in UTC, such as 2026-11-27T18:00:00Z.'),
    /** In which it is shown. */
    timeZone: TimeZone,
  }),
  z.strictObject({
    repeats: z.literal('weekly'),
    days: z.array(Weekday).min(1, 'must have at least one day.').max(WEEKDAYS.length),
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 18:00.'),
    timeZone: TimeZone,
  }),
])
export type ScheduleTimes = z.output<typeof ScheduleTimes>

/** As it stands in the stream's list of sources, so that another list is noticed. */
export const ScheduleSource = z.strictObject({
  /** From 0. */
  index: wholeNumberIn(0, 1000, ''),
  url: z.string().min(1, 'must be the address of the source.').max(1000),
})
export type ScheduleSource = z.output<typeof ScheduleSource>

const Content = z.strictObject({
  command: ScheduleCommand,
  /** Of switch; null of others. */
  source: ScheduleSource.nullable().default(null),
  times: ScheduleTimes,
  /** Whether it is carried out although it interrupts something on air. */
  alsoOnAir: z.boolean().default(false),
  isEnabled: z.boolean().default(true),
  note: optionalLine(SCHEDULE_NOTE_CHARACTERS).default(''),
})
export const ScheduleContent = Content
export type ScheduleContent = z.output<typeof Content>

/** A feeder goes by its name. */
export const ScheduledObject = z.strictObject({ kind: ScheduleKind, id: Id })
export type ScheduledObject = z.output<typeof ScheduledObject>

export const ScheduleDraft = Content.extend({ object: ScheduledObject })
export type ScheduleDraft = z.output<typeof ScheduleDraft>

/**
 * running: it is being carried out. refused: whoever made it may not do it any more, or it would have
 * interrupted something on air. missed: no API ran at that time.
 */
export const RunOutcome = z.enum(['running', 'done', 'failed', 'refused', 'missed'])
export type RunOutcome = z.infer<typeof RunOutcome>

export const ScheduleRun = z.object({
  /** When it was due, ISO 8601 in UTC. */
  dueAt: z.string(),
  /** Null while it runs. */
  endedAt: z.string().nullable(),
  outcome: RunOutcome,
  /** Why it was not carried out, and what to do; '' when it was. */
  sentence: Sentence,
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

export const Schedule = Content.extend({
  _id: z.string(),
  id: z.string(),
  version: z.number(),
  object: z.object({ kind: ScheduleKind, id: z.string(), title: z.string() }),
  /** Who made or changed it last: it is carried out with their rights. As they were called. */
  by: z.string(),
  /** ISO 8601, UTC; null: never again, or disabled. */
  nextAt: z.string().nullable(),
  lastRun: ScheduleRun.nullable(),
}).strip()
export type Schedule = z.infer<typeof Schedule>

/** What is shown beside an object: its next command within a day, and a last one that was not carried out. */
export const ScheduleMark = z.object({
  kind: ScheduleKind,
  id: z.string(),
  next: z.object({ command: ScheduleCommand, at: z.string(), timeZone: z.string() }).nullable(),
  problem: z
    .object({
      command: ScheduleCommand,
      dueAt: z.string(),
      timeZone: z.string(),
      outcome: RunOutcome,
      sentence: Sentence,
    })
    .nullable(),
})
export type ScheduleMark = z.infer<typeof ScheduleMark>
