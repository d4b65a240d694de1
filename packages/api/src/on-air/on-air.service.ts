/** Puts objects on air and takes them off, for those who may command them. */
import type { listOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { ON_AIR_RIGHTS } from '@trunkline/contract/on-air/on-air.rules'
import { ON_AIR_MARKS_AT_MOST, type OnAirRecord } from '@trunkline/contract/on-air/on-air.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { AppError, conflict, forbidden, invalid, notFound, refused } from '../errors.ts'
import { keyOf } from '../fleet/object-key.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import { newId } from '../id.ts'
import * as hopDetailsStore from '../paths/hop-details.store.ts'
import type { HopDetails } from '../paths/hop-details.store.ts'
import type { PathKey } from '../paths/path-source.ts'
import { isOutdated, outdated } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import { isOnAir, shownMark } from './on-air-board.ts'
import { recordTurn } from './on-air-events.service.ts'
import * as onAirStore from './on-air.store.ts'
import type { StoredMark } from './on-air.store.ts'

export async function list(ctx: Context, actor: Actor): Promise<ReplyOf<typeof listOnAir>> {
  const marks = ctx.onAir.open().filter((mark) => maySeeObject(ctx, actor, mark))
  const details = await detailsOf(ctx.db, marks)
  const data = marks.flatMap((mark) => {
    const known = details.get(keyOf(mark))
    return known === undefined ? [] : [wire(ctx, mark, known.title)]
  })
  return { status: true, data }
}

/** What people call these objects, and whose they are; by `keyOf`. What is gone is not there. */
export async function detailsOf(
  db: Db,
  objects: readonly PathKey[],
): Promise<Map<string, HopDetails>> {
  const found = new Map<string, HopDetails>()
  for (const [kind, some] of Map.groupBy(objects, (object) => object.kind)) {
    const ids = some.map(({ id }) => id)
    for (const each of await hopDetailsStore.DETAILS_OF[kind](db, ids)) {
      found.set(keyOf({ kind, id: each.id }), each)
    }
  }
  return found
}

export async function put(
  ctx: Context,
  actor: Actor,
  object: PathKey,
  asked: BodyOf<typeof putOnAir>,
): Promise<ReplyOf<typeof putOnAir>> {
  const details = await load(ctx, actor, object)
  const nowMs = ctx.clock()
  const span = spanOf(asked, nowMs)
  const before = await standing(ctx, object)
  if (before === null && asked.version !== undefined) throw overtaken(ctx, null, details.title)
  if (before !== null && isOutdated(asked.version, before.version)) {
    throw overtaken(ctx, before, details.title)
  }
  if (before === null && ctx.onAir.open().length >= ON_AIR_MARKS_AT_MOST) {
    throw refused(
      `${ON_AIR_MARKS_AT_MOST} objects are on air or scheduled already. Take some off air first.`,
    )
  }
  const mark = {
    ...object,
    ...span,
    // What is on air already has been so since then.
    fromMs: asked.from === null && before !== null ? Math.min(before.fromMs, nowMs) : span.fromMs,
    markId: before?.markId ?? newId(),
    version: before === null ? 1 : before.version + 1,
    note: asked.note,
    by: actor.fullName,
  }
  await ctx.db.transaction().execute(async (trx) => {
    if (before === null) {
      await onAirStore.removeEnded(trx, nowMs)
      await onAirStore.insert(trx, mark)
    } else if (!(await onAirStore.update(trx, mark, before))) {
      throw overtaken(ctx, before, details.title)
    }
    const wasOnAir = before !== null && isOnAir(before, nowMs)
    if (wasOnAir !== isOnAir(mark, nowMs)) {
      await recordTurn(trx, mark, wasOnAir ? 'off' : 'on', nowMs)
    }
    await auditService.record(trx, {
      actor,
      call: 'onAir.put',
      object: recordedObject(details),
      ...(before === null ? {} : { before: recorded(before, details.title) }),
      after: recorded(mark, details.title),
      reason: reasonOf(details, asked.note),
    })
  })
  await publish(ctx)
  return { status: true, data: wire(ctx, mark, details.title) }
}

/** A mark that has ended is none. */
async function standing(ctx: Context, object: PathKey): Promise<StoredMark | null> {
  const mark = await onAirStore.find(ctx.db, object)
  return mark === null || (mark.untilMs !== null && mark.untilMs <= ctx.clock()) ? null : mark
}

function spanOf(
  { from, until }: BodyOf<typeof putOnAir>,
  nowMs: number,
): Pick<StoredMark, 'fromMs' | 'untilMs'> {
  const fromMs = from === null ? nowMs : Date.parse(from)
  const untilMs = until === null ? null : Date.parse(until)
  if (untilMs !== null && untilMs <= nowMs) {
    throw invalid('until', 'must be later than now. Choose a later end, or none.')
  }
  if (untilMs !== null && untilMs <= fromMs) {
    throw invalid('until', 'must be later than from. Choose a later end, or an earlier start.')
  }
  return { fromMs, untilMs }
}

export async function takeOff(
  ctx: Context,
  actor: Actor,
  object: PathKey,
): Promise<ReplyOf<typeof takeOffAir>> {
  const details = await load(ctx, actor, object)
  const mark = await standing(ctx, object)
  if (mark === null) {
    throw new AppError('not_found', `'${details.title}' is not on air. Refresh the page.`, {})
  }
  await ctx.db.transaction().execute(async (trx) => {
    if (!(await onAirStore.remove(trx, mark.markId))) {
      throw conflict('Somebody else has just taken this off air.')
    }
    const nowMs = ctx.clock()
    if (isOnAir(mark, nowMs)) await recordTurn(trx, mark, 'off', nowMs)
    await auditService.record(trx, {
      actor,
      call: 'onAir.takeOff',
      object: recordedObject(details),
      before: recorded(mark, details.title),
      reason: reasonOf(details, ''),
    })
  })
  await publish(ctx)
  return { status: true, id: object.id }
}

/** 404 for what is not there or other people's, 403 for what this person may see and not command. */
async function load(ctx: Context, actor: Actor, object: PathKey): Promise<HopDetails> {
  if (!maySeeObject(ctx, actor, object)) throw notFound(object.kind)
  const details = (await detailsOf(ctx.db, [object])).get(keyOf(object))
  if (details === undefined) throw notFound(object.kind)
  if (!mayDo(actor.role, ON_AIR_RIGHTS[object.kind])) throw forbidden()
  return details
}

async function publish(ctx: Context): Promise<void> {
  await ctx.onAir.reload()
  ctx.notices.tell({ kind: 'onAir' })
}

function overtaken(ctx: Context, current: StoredMark | null, title: string) {
  if (current !== null) return outdated('mark', wire(ctx, current, title), ['from', 'until'])
  return conflict('Somebody else has taken this off air meanwhile. Check it, then try again.')
}

/** The record of activity names the encoder of a feeder, never the feeder. */
export function recordedObject({ kind, id, title, ownerId }: HopDetails) {
  return kind === 'feeder'
    ? ({ kind: 'encoder', id: ownerId } as const)
    : ({ kind: kind === 'destination' ? 'output' : kind, id, title } as const)
}

/** Which feeder it was is said beside its encoder. */
function reasonOf({ kind, title }: HopDetails, note: string): string {
  return [kind === 'feeder' ? `feeder ${title}` : '', note].filter((text) => text !== '').join(': ')
}

function recorded({ fromMs, untilMs, note }: StoredMark, title: string) {
  return { title, from: isoOf(fromMs), until: untilMs === null ? null : isoOf(untilMs), note }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function wire(ctx: Context, mark: StoredMark, title: string): OnAirRecord {
  const shown = shownMark(mark, ctx.clock())
  return { ...shown, _id: mark.markId, title, note: mark.note, by: mark.by }
}
