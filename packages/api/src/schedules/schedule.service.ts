/** Schedules of objects, for those who may command them. schedule-runner.service.ts carries them out. */
import { rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import type {
  addSchedule,
  listScheduleMarks,
  listScheduleRuns,
  listSchedules,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import { DAY_MS } from '@trunkline/contract/durations'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import { commandsOf, nextMomentMs, rightOf } from '@trunkline/contract/schedules/schedule.rules'
import {
  SCHEDULES_AT_MOST,
  type Schedule,
  type ScheduleCommand,
  type ScheduleContent,
  type ScheduledObject,
  type ScheduleMark,
  type ScheduleSource,
} from '@trunkline/contract/schedules/schedule.schema'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { conflict, forbidden, invalid, notFound } from '../errors.ts'
import { keyOf } from '../fleet/object-key.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import { detailsOf, recordedObject } from '../on-air/on-air.service.ts'
import type { HopDetails } from '../paths/hop-details.store.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import { publicUrl } from '../stream-servers/stream-secrets.rules.ts'
import * as userService from '../users/user.service.ts'
import * as scheduleStore from './schedule.store.ts'
import type { Maker, StoredRun, StoredSchedule } from './schedule.store.ts'

const NOUN = 'schedule'

export async function list(
  ctx: Context,
  actor: Actor,
  { kind, id, page, rowsPerPage }: QueryOf<typeof listSchedules>,
): Promise<ReplyOf<typeof listSchedules>> {
  if ((kind === '') !== (id === '')) {
    throw invalid(kind === '' ? 'kind' : 'id', 'must be sent too: kind and id name one object.')
  }
  const object = kind === '' ? null : { kind, id }
  if (object !== null && !maySeeObject(ctx, actor, object)) throw notFound(object.kind)
  const found = (await scheduleStore.list(ctx.db, object))
    .filter((schedule) => maySeeObject(ctx, actor, schedule.object))
    .toSorted(byNext)
  const shown = rowsOfPage(found, { page, rowsPerPage })
  return { status: true, data: await wire(ctx.db, shown), total: found.length }
}

/** What comes next first; then what is over or disabled, the newest first. */
function byNext(a: StoredSchedule, b: StoredSchedule): number {
  if (a.nextAt !== null && b.nextAt !== null) return a.nextAt < b.nextAt ? -1 : 1
  if (a.nextAt === null && b.nextAt === null) return a.createdAt < b.createdAt ? 1 : -1
  return a.nextAt === null ? 1 : -1
}

export async function listMarks(
  ctx: Context,
  actor: Actor,
): Promise<ReplyOf<typeof listScheduleMarks>> {
  const nowMs = ctx.clock()
  const [next, problems] = await Promise.all([
    scheduleStore.comingUp(ctx.db, isoOf(nowMs + DAY_MS)),
    scheduleStore.problemsSince(ctx.db, isoOf(nowMs - DAY_MS)),
  ])
  const marks = new Map<string, ScheduleMark>()
  const markOf = ({ object }: StoredSchedule) => {
    const key = keyOf(object)
    const mark = marks.get(key) ?? { ...object, next: null, problem: null }
    marks.set(key, mark)
    return mark
  }
  const isShown = ({ object }: StoredSchedule) => maySeeObject(ctx, actor, object)
  for (const schedule of next.filter(isShown)) {
    const { command, times, nextAt } = schedule
    if (nextAt === null) continue
    markOf(schedule).next ??= { command, at: nextAt, timeZone: times.timeZone }
  }
  for (const { run, schedule } of problems.filter((each) => isShown(each.schedule))) {
    const { dueAt, outcome, sentence } = run
    const mark = markOf(schedule)
    if (mark.problem !== null && mark.problem.dueAt >= dueAt) continue
    const { command, times } = schedule
    mark.problem = { command, dueAt, timeZone: times.timeZone, outcome, sentence }
  }
  return { status: true, data: [...marks.values()] }
}

export async function listRuns(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof listScheduleRuns>> {
  await loadSeen(ctx, ctx.db, actor, id)
  return { status: true, data: await scheduleStore.runs(ctx.db, id) }
}

export async function add(
  ctx: Context,
  actor: Actor,
  { object, ...asked }: BodyOf<typeof addSchedule>,
  id: string,
): Promise<ReplyOf<typeof addSchedule>> {
  const content = { ...asked, source: publicSource(asked.source) }
  const details = await loadObject(ctx, actor, object, content.command)
  const nextAt = checkedNext(ctx, object, content)
  const schedule: StoredSchedule = {
    id,
    version: 1,
    createdAt: isoOf(ctx.clock()),
    object,
    ...content,
    madeBy: await makerOf(ctx, actor),
    nextAt,
  }
  await ctx.db.transaction().execute(async (trx) => {
    if ((await scheduleStore.count(trx)) >= SCHEDULES_AT_MOST) {
      throw conflict(
        `There are ${SCHEDULES_AT_MOST} schedules. Delete some that are over, then add this again.`,
      )
    }
    await scheduleStore.insert(trx, schedule)
    const line = lineOf({ actor, call: 'schedules.add' }, details, content.command)
    await auditService.record(trx, { ...line, after: recorded(content, details) })
  })
  return { status: true, data: await saved(ctx, schedule, 'added', details), id }
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addSchedule>> {
  const [data] = await wire(ctx.db, [await loadSeen(ctx, ctx.db, actor, id)])
  if (data === undefined) throw notFound(NOUN)
  return { status: true, data, id }
}

/** Absent fields stay as they are. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  change: BodyOf<typeof updateSchedule>,
): Promise<ReplyOf<typeof updateSchedule>> {
  const madeBy = await makerOf(ctx, actor)
  const { schedule, details } = await ctx.db.transaction().execute(async (trx) => {
    const before = await saveVersioned({
      version: change.version,
      read: async () => loadCommanded(ctx, trx, actor, id, change.command),
      versionOf: (read) => read.schedule.version,
      write: async (read) => {
        const content = contentAfter(read.schedule, change)
        const nextAt = checkedNext(ctx, read.schedule.object, content)
        return scheduleStore.update(trx, read.schedule, { ...content, madeBy, nextAt })
      },
      outdated: async (now) => {
        const [current] = await wire(trx, [now.schedule])
        const there = contentOf(now.schedule)
        return outdated(NOUN, current, changedFields(contentOf(change), there))
      },
    })
    await auditService.record(trx, {
      ...lineOf({ actor, call: 'schedules.update' }, before.details, before.schedule.command),
      before: recorded(before.schedule, before.details),
      after: recorded(contentAfter(before.schedule, change), before.details),
    })
    const after = await scheduleStore.find(trx, id)
    if (after === null) throw notFound(NOUN)
    return { schedule: after, details: before.details }
  })
  return { status: true, data: await saved(ctx, schedule, 'changed', details) }
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeSchedule>> {
  const groupIds = await ctx.db.transaction().execute(async (trx) => {
    const { schedule, details } = await loadCommanded(ctx, trx, actor, id, undefined)
    if (!(await scheduleStore.remove(trx, id))) throw notFound(NOUN)
    await auditService.record(trx, {
      ...lineOf({ actor, call: 'schedules.remove' }, details, schedule.command),
      before: recorded(schedule, details),
    })
    return details.groupIds
  })
  ctx.notices.tell({ kind: 'schedule', id, change: 'removed', groupIds })
  return { status: true, id }
}

/** 404 for what is not there or other people's, 403 for what this person may see and not command. */
async function loadObject(
  ctx: Context,
  actor: Actor,
  object: ScheduledObject,
  command: ScheduleCommand,
): Promise<HopDetails> {
  if (!maySeeObject(ctx, actor, object)) throw notFound(object.kind)
  const details = (await detailsOf(ctx.db, [object])).get(keyOf(object))
  if (details === undefined) throw notFound(object.kind)
  if (!mayDo(actor.role, rightOf(object.kind, command))) throw forbidden()
  if (details.inputType === 'Local') {
    throw invalid('object', 'is a Local input, which runs no program. Choose another object.')
  }
  return details
}

async function loadSeen(ctx: Context, db: Db, actor: Actor, id: string): Promise<StoredSchedule> {
  const found = await scheduleStore.find(db, id)
  if (found === null || !maySeeObject(ctx, actor, found.object)) throw notFound(NOUN)
  return found
}

/** `command`: what it is changed to; undefined: it stays. */
async function loadCommanded(
  ctx: Context,
  trx: Db,
  actor: Actor,
  id: string,
  command: ScheduleCommand | undefined,
): Promise<{ schedule: StoredSchedule; details: HopDetails }> {
  const schedule = await loadSeen(ctx, trx, actor, id)
  const { object } = schedule
  const isAllowed = [schedule.command, command ?? schedule.command].every((each) =>
    mayDo(actor.role, rightOf(object.kind, each)),
  )
  if (!isAllowed) throw forbidden()
  const details = (await detailsOf(trx, [object])).get(keyOf(object))
  if (details === undefined) throw notFound(NOUN)
  return { schedule, details }
}

/** When it is due first; null while it is disabled. Throws Invalid for what can never be carried out. */
function checkedNext(
  ctx: Context,
  { kind }: ScheduledObject,
  { command, source, times, isEnabled }: ScheduleContent,
): string | null {
  if (!commandsOf(kind).includes(command)) {
    throw invalid('command', 'must be start or stop: only a channel has sources to switch to.')
  }
  if (command === 'switch' && source === null) {
    throw invalid('source', 'must name the source to switch to.')
  }
  if (command !== 'switch' && source !== null) {
    throw invalid('source', 'must be null, except for switch.')
  }
  if (!isEnabled) return null
  const nextMs = nextMomentMs(times, ctx.clock())
  if (nextMs === null) throw invalid('times.at', 'must be in the future. Choose a later time.')
  return isoOf(nextMs)
}

/** A service has no rights that somebody could look up later. */
async function makerOf(ctx: Context, actor: Actor): Promise<Maker> {
  if ((await userService.find(ctx, actor.id)) === null) {
    throw forbidden(
      'A schedule is carried out with the rights of a person. Sign in, or use an API token of a person.',
    )
  }
  return { userId: actor.id, name: actor.fullName }
}

/** Without the keys that an address may hold: it is compared with what answers show. */
function publicSource(source: ScheduleSource | null): ScheduleSource | null {
  return source === null ? null : { ...source, url: publicUrl(source.url) }
}

function contentOf(sent: { [Name in keyof ScheduleContent]?: ScheduleContent[Name] | undefined }) {
  const { command, source, times, alsoOnAir, isEnabled, note } = sent
  return { command, source, times, alsoOnAir, isEnabled, note }
}

function contentAfter(
  before: ScheduleContent,
  change: BodyOf<typeof updateSchedule>,
): ScheduleContent {
  const command = change.command ?? before.command
  const source = publicSource(change.source === undefined ? before.source : change.source)
  return {
    command,
    // What was a switch and is none any more has no source.
    source: change.source === undefined && command !== 'switch' ? null : source,
    times: change.times ?? before.times,
    alsoOnAir: change.alsoOnAir ?? before.alsoOnAir,
    isEnabled: change.isEnabled ?? before.isEnabled,
    note: change.note ?? before.note,
  }
}

type Doer = Pick<auditService.AuditEntry, 'actor' | 'call'>

/** The record of activity names the object: its timeline has what is planned for it. */
function lineOf(doer: Doer, details: HopDetails, command: ScheduleCommand) {
  const reason = details.kind === 'feeder' ? `${command}, feeder ${details.title}` : command
  return { ...doer, object: recordedObject(details), reason }
}

function recorded(content: ScheduleContent, { title }: HopDetails) {
  return { title, ...contentOf(content) }
}

/** Tells browsers, and the runner of every process. */
async function saved(
  ctx: Context,
  schedule: StoredSchedule,
  change: 'added' | 'changed',
  { title, groupIds }: HopDetails,
): Promise<Schedule> {
  ctx.notices.tell({ kind: 'schedule', id: schedule.id, change, groupIds })
  const last = await scheduleStore.lastRuns(ctx.db, [schedule.id])
  return wired(schedule, title, last.get(schedule.id))
}

async function wire(db: Db, schedules: readonly StoredSchedule[]): Promise<Schedule[]> {
  const details = await detailsOf(
    db,
    schedules.map(({ object }) => object),
  )
  const last = await scheduleStore.lastRuns(
    db,
    schedules.map(({ id }) => id),
  )
  return schedules.flatMap((schedule) => {
    const known = details.get(keyOf(schedule.object))
    return known === undefined ? [] : [wired(schedule, known.title, last.get(schedule.id))]
  })
}

function wired(schedule: StoredSchedule, title: string, lastRun: StoredRun | undefined): Schedule {
  const { id, version, object, madeBy, nextAt } = schedule
  return {
    _id: id,
    id,
    version,
    object: { ...object, title },
    command: schedule.command,
    source: schedule.source,
    times: schedule.times,
    alsoOnAir: schedule.alsoOnAir,
    isEnabled: schedule.isEnabled,
    note: schedule.note,
    by: madeBy.name,
    nextAt,
    lastRun: lastRun ?? null,
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
