/** The calls about alarms: what is open, what was, and who looks after it. */
import type {
  acknowledgeAlarm,
  acknowledgeAlarms,
  listAlarmHistory,
  listAlarms,
  muteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { SEVERITIES } from '@trunkline/contract/alarms/open-alarms.schema'
import type { TimelineEvent } from '@trunkline/contract/events/event.schema'
import { isManagerLevel } from '@trunkline/contract/roles'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import { sortRows, rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import type { ObjectKey } from '../fleet/object-key.ts'
import { placeOf } from '../fleet/object-place.ts'
import * as audit from '../audit/audit.service.ts'
import { recordRefusal } from '../audit/refusals.service.ts'
import type { Context } from '../context.ts'
import { changedFields } from '../changed-fields.ts'
import { forbidden, notFound, type AppError } from '../errors.ts'
import { assertNext, pageOf } from '../next-page.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import * as alarmStore from './alarm.store.ts'
import type { StoredAlarm } from './alarm.store.ts'

export function list(
  ctx: Context,
  actor: Actor,
  asked: QueryOf<typeof listAlarms>,
): ReplyOf<typeof listAlarms> {
  const { causedBy, severity, kind, attention, page, rowsPerPage, sort } = asked
  const search = asked.searchText.trim().toLowerCase()
  const { alarms } = ctx
  const found = alarms.seenBy(actor, causedBy === '' ? null : causedBy).filter((alarm) => {
    if (severity !== '' && alarm.severity !== severity) return false
    if (kind !== '' && alarm.kind !== kind) return false
    if (attention !== '' && (attention === 'quiet') !== alarms.isQuiet(alarm)) return false
    if (search === '') return true
    // What is hidden from this person is not found either.
    const { title, sentence } = alarms.head(actor, alarm)
    return `${title}\n${sentence}`.toLowerCase().includes(search)
  })
  const sorted = sortRows(found, sort, {
    severity: (alarm) => SEVERITIES.indexOf(alarm.severity),
    // What is in another group has no title for this person.
    title: (alarm) => alarms.head(actor, alarm).title || null,
    since: ({ raisedAtMs }) => raisedAtMs,
  })
  const shown = rowsOfPage(sorted, { page, rowsPerPage })
  const data = shown.map((alarm) => wire(ctx, actor, alarm))
  return { status: true, data, total: found.length }
}

export async function history(
  ctx: Context,
  actor: Actor,
  asked: QueryOf<typeof listAlarmHistory>,
): Promise<ReplyOf<typeof listAlarmHistory>> {
  const { kind, id, severity, before, limit } = asked
  assertNext(before)
  const object = kind === '' || id === '' ? null : { kind, id }
  if (object !== null && !ctx.alarms.maySee(actor, object)) throw notFound(object.kind)
  const reader = {
    groups: groupScope(actor),
    editorId: actor.role === 'editor' ? actor.id : null,
    seesContributions: isManagerLevel(actor.role),
  }
  const found = await alarmStore.history(ctx.db, {
    object,
    severity,
    before,
    limit: limit + 1,
    reader,
  })
  const { shown, next } = pageOf(found, limit, ({ raisedAtMs, alarmId }) => ({
    atMs: raisedAtMs,
    id: alarmId,
  }))
  return { status: true, data: shown.map((alarm) => wireStored(ctx, alarm)), next }
}

type Change = Partial<Pick<StoredAlarm, 'acknowledged' | 'mutedUntilMs'>>

interface Deed {
  actor: Actor
  id: string
  version: number | undefined
  call: string
  /** For the record of activity. */
  reason: string
}

export async function acknowledge(
  ctx: Context,
  deed: Omit<Deed, 'reason'>,
  { note }: Pick<BodyOf<typeof acknowledgeAlarm>, 'note'>,
): Promise<{ status: true; data: Alarm }> {
  const acknowledged = { atMs: ctx.clock(), by: deed.actor.fullName, note }
  return save(ctx, { ...deed, reason: note }, { acknowledged })
}

/** Those of which this person may do it, in one transaction. */
export async function acknowledgeSeveral(
  ctx: Context,
  { actor, call }: Pick<Deed, 'actor' | 'call'>,
  { alarms, note }: BodyOf<typeof acknowledgeAlarms>,
): Promise<ReplyOf<typeof acknowledgeAlarms>> {
  const acknowledged = { atMs: ctx.clock(), by: actor.fullName, note }
  const versions = new Map(alarms.map(({ id, version }) => [id, version]))
  const stored = await alarmStore.readThese(ctx.db, [...versions.keys()])
  const theirs = stored.filter((alarm) => {
    const version = versions.get(alarm.alarmId) ?? alarm.version
    return version === alarm.version && mayChange(ctx, actor, alarm) === 'yes'
  })
  const done = await ctx.db.transaction().execute(async (trx) => {
    const ids: string[] = []
    for (const alarm of theirs) {
      if (!(await alarmStore.save(trx, alarm, { acknowledged }))) continue
      const line = lineOf(ctx, { actor, call, reason: note }, alarm)
      await audit.record(trx, line)
      ids.push(alarm.alarmId)
    }
    return ids
  })
  for (const alarm of await alarmStore.readThese(ctx.db, done)) putSaved(ctx, alarm)
  if (done.length > 0) ctx.notices.tell({ kind: 'alarms', ids: done })
  const isDone = new Set(done)
  const left = [...versions.keys()].filter((id) => !isDone.has(id))
  return { status: true, data: { acknowledged: done, left } }
}

export async function unacknowledge(ctx: Context, deed: Omit<Deed, 'reason'>) {
  return save(ctx, { ...deed, reason: '' }, { acknowledged: null })
}

export async function mute(
  ctx: Context,
  deed: Omit<Deed, 'reason'>,
  { minutes }: Pick<BodyOf<typeof muteAlarm>, 'minutes'>,
) {
  const mutedUntilMs = ctx.clock() + minutes * 60_000
  return save(ctx, { ...deed, reason: `for ${minutes} minutes` }, { mutedUntilMs })
}

export async function unmute(ctx: Context, deed: Omit<Deed, 'reason'>) {
  return save(ctx, { ...deed, reason: '' }, { mutedUntilMs: null })
}

/** Refused when another person has changed it since that version; the answer to them says how it is now. */
async function save(
  ctx: Context,
  deed: Deed,
  change: Change,
): Promise<{ status: true; data: Alarm }> {
  const { actor, id, version } = deed
  await saveVersioned<StoredAlarm>({
    version,
    read: async () => load(ctx, deed),
    versionOf: (alarm) => alarm.version,
    write: async (alarm) =>
      ctx.db.transaction().execute(async (trx) => {
        if (!(await alarmStore.save(trx, alarm, change))) return false
        await audit.record(trx, lineOf(ctx, deed, alarm))
        return true
      }),
    outdated: async (alarm) => {
      const now = wire(ctx, actor, alarm)
      const changed = changedFields(now, { ...now, ...wireChange(change) })
      return refused(ctx, deed, { alarm, failure: outdated('alarm', now, changed) })
    },
  })
  // The keepers of all processes read it again; this process knows it at once.
  const [saved] = await alarmStore.readThese(ctx.db, [id])
  if (saved === undefined) throw notFound('alarm')
  putSaved(ctx, saved)
  ctx.notices.tell({ kind: 'alarms', ids: [id] })
  return { status: true, data: wire(ctx, actor, saved) }
}

function putSaved(ctx: Context, alarm: StoredAlarm): void {
  if (alarm.clearedAtMs === null) ctx.alarms.put(alarm)
}

function wireChange({ acknowledged, mutedUntilMs }: Change) {
  return {
    ...(acknowledged === undefined ? {} : { acknowledged }),
    ...(mutedUntilMs === undefined ? {} : { mutedUntil: mutedUntilMs }),
  }
}

type Line = Pick<Deed, 'actor' | 'call' | 'reason'>

function lineOf(ctx: Context, { actor, call, reason }: Line, alarm: StoredAlarm) {
  return { actor, call, reason, object: recordedObject(ctx, alarm) }
}

/** The record of activity names the encoder of a feeder, never the feeder; the console is no object of it. */
function recordedObject(ctx: Context, { kind, id, title }: StoredAlarm) {
  if (kind === 'console') return null
  if (kind !== 'feeder') return { kind, id, title }
  const encoderId = ctx.programs.wanted(programIdOf(kind, id))?.ownerId
  return encoderId === undefined ? null : { kind: 'encoder' as const, id: encoderId }
}

/** Recorded here, because the call names the alarm alone and the record what the alarm is about. */
async function refused(
  ctx: Context,
  line: Line,
  { alarm, failure }: { alarm: StoredAlarm; failure: AppError },
): Promise<AppError> {
  const reason = failure.message
  const entry = { ...lineOf(ctx, { ...line, reason }, alarm), result: 'refused' as const, failure }
  await recordRefusal(ctx, entry)
  return failure
}

/** 404 for what is not there, cleared or other people's; 403 for what this person only sees. */
async function load(ctx: Context, deed: Deed): Promise<StoredAlarm> {
  const { actor, id } = deed
  const [alarm] = await alarmStore.readThese(ctx.db, [id])
  const may = alarm === undefined ? 'not found' : mayChange(ctx, actor, alarm)
  if (alarm === undefined || may === 'not found') throw notFound('alarm')
  if (may === 'only seen') throw await refused(ctx, deed, { alarm, failure: forbidden() })
  return alarm
}

function mayChange(
  { alarms }: Context,
  actor: Actor,
  alarm: StoredAlarm,
): 'yes' | 'only seen' | 'not found' {
  if (alarm.clearedAtMs !== null) return 'not found'
  const isSeen = alarms.maySee(actor, alarm)
  if (!isSeen && alarms.countConsequences(actor, alarm.alarmId) === 0) return 'not found'
  const isTheirs = actor.role !== 'editor' || alarm.kind === 'encoder' || alarm.kind === 'feeder'
  return isSeen && isTheirs ? 'yes' : 'only seen'
}

function wire(ctx: Context, actor: Actor, alarm: StoredAlarm): Alarm {
  const stored = wireStored(ctx, alarm)
  // A cleared alarm has no consequences any more: the largest number that it had is answered.
  if (alarm.clearedAtMs !== null) return stored
  const head = ctx.alarms.head(actor, alarm)
  const isHidden = !ctx.alarms.maySee(actor, alarm)
  if (!isHidden) return { ...stored, ...head }
  return { ...stored, ...head, acknowledged: null, maintenanceUntil: null, ...NOWHERE }
}

const NOWHERE = { serverId: '', groupId: '', ownerId: '' }

/** Where the console finds it. */
function placeOnScreen(ctx: Context, { kind, id }: ObjectKey) {
  const place = kind === 'server' ? null : placeOf(ctx, { kind, id })
  if (place === null) return NOWHERE
  const { serverId, groupIds, ownerId } = place
  return { serverId, groupId: kind === 'channel' ? '' : (groupIds[0] ?? ''), ownerId }
}

function wireStored(ctx: Context, alarm: StoredAlarm): Alarm {
  const { alarmId, acknowledged, clearedAtMs, mutedUntilMs, raisedAtMs } = alarm
  return {
    _id: alarmId,
    id: alarmId,
    kind: alarm.kind,
    objectId: alarm.id,
    title: alarm.title,
    rule: alarm.rule,
    severity: alarm.severity,
    raisedAtMs,
    overSinceMs: null,
    raisedAt: text(raisedAtMs),
    clearedAt: textOrNull(clearedAtMs),
    sentence: alarm.sentence,
    behind: alarm.mostConsequences,
    version: alarm.version,
    acknowledged: acknowledged && {
      at: text(acknowledged.atMs),
      by: acknowledged.by,
      note: acknowledged.note,
    },
    mutedUntil: textOrNull(mutedUntilMs),
    causedBy: alarm.causedBy,
    maintenanceUntil: textOrNull(
      clearedAtMs === null ? ctx.alarms.maintenanceUntilMs(alarm) : null,
    ),
    ...placeOnScreen(ctx, alarm),
  }
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function textOrNull(ms: number | null): string | null {
  return ms === null ? null : text(ms)
}

/** What happened to the alarms of an object that were raised until then, for its timeline; '' for any time. */
export async function eventsOf(
  ctx: Context,
  object: ObjectKey,
  until: string,
  limit: number,
): Promise<TimelineEvent[]> {
  const reader = { groups: 'all' as const, editorId: null, seesContributions: true }
  // Of the same moment it is in; ids are of small letters.
  const before = until === '' ? '' : `${until} ~`
  const found = await alarmStore.history(ctx.db, { object, severity: '', before, limit, reader })
  return found.flatMap(alarmEventsOf)
}

function alarmEventsOf(alarm: StoredAlarm): TimelineEvent[] {
  const { alarmId, raisedAtMs, clearedAtMs, acknowledged, sentence } = alarm
  const event = (state: string, atMs: number, cause: string, actor: string): TimelineEvent => ({
    id: `alarm ${state} ${alarmId}`,
    at: text(atMs),
    kind: 'alarm',
    since: null,
    state,
    cause,
    call: '',
    result: 'done',
    actor,
  })
  return [
    event('raised', raisedAtMs, `${RULES[alarm.rule].title}. ${sentence}`, ''),
    ...(acknowledged === null
      ? []
      : [event('acknowledged', acknowledged.atMs, acknowledged.note, acknowledged.by)]),
    ...(clearedAtMs === null ? [] : [event('cleared', clearedAtMs, '', '')]),
  ]
}
