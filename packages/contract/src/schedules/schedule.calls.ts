import { z } from 'zod'
import { Page, pageSize } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { echoed, Version } from '../text.schema.ts'
import {
  Schedule,
  ScheduleContent,
  ScheduleDraft,
  ScheduleKind,
  ScheduleMark,
  ScheduleRun,
} from './schedule.schema.ts'
import { success } from '../reply.schema.ts'

const ofSchedule = success({ data: Schedule })

/** Of one object, or of all that the caller may see; the next to come first, then those that are over. */
export const listSchedules = route({
  name: 'schedules.list',
  method: 'GET',
  path: '/api/schedule',
  action: 'seeSchedules',
  query: z.strictObject({
    /** Both or neither. */
    kind: z.union([ScheduleKind, z.literal('')]).default(''),
    id: z.string().max(64).default(''),
    page: Page,
    rowsPerPage: pageSize(24),
  }),
  reply: success({ data: z.array(Schedule), total: z.number() }),
})

/**
 * Beside the objects that the caller may see: the next command of each within 24 hours, and the last
 * one of those 24 hours that was missed, refused or failed.
 */
export const listScheduleMarks = route({
  name: 'schedules.marks',
  method: 'GET',
  path: '/api/schedule/marks',
  action: 'seeSchedules',
  reply: success({ data: z.array(ScheduleMark) }),
})

/** The last runs, the newest first. */
export const listScheduleRuns = route({
  name: 'schedules.runs',
  method: 'GET',
  path: '/api/schedule/:id/runs',
  action: 'seeSchedules',
  params: ById,
  reply: success({ data: z.array(ScheduleRun) }),
})

/** Allowed for those who may command the object; it is carried out as whoever made or changed it last. */
export const addSchedule = route({
  name: 'schedules.add',
  method: 'POST',
  addsObject: true,
  path: '/api/schedule',
  action: 'editSchedules',
  body: ScheduleDraft,
  reply: ofSchedule.extend({ id: z.string() }),
})

/** Absent fields stay as they are. */
export const updateSchedule = route({
  name: 'schedules.update',
  method: 'PUT',
  path: '/api/schedule/:id',
  action: 'editSchedules',
  params: ById,
  body: z.strictObject({
    command: ScheduleContent.shape.command.optional(),
    source: ScheduleContent.shape.source.unwrap().optional(),
    times: ScheduleContent.shape.times.optional(),
    alsoOnAir: z.boolean().optional(),
    isEnabled: z.boolean().optional(),
    note: ScheduleContent.shape.note.unwrap().optional(),
    version: Version,
    ...echoed(['_id', 'id', 'object', 'by', 'nextAt', 'lastRun']),
  }),
  reply: ofSchedule,
})

/** A run that has begun is not stopped by it. */
export const removeSchedule = removal('schedules.remove', '/api/schedule/:id', 'editSchedules')
