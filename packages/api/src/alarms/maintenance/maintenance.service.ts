/** Plans maintenance windows, and keeps what is known of them up to date in this process. */
import type {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import { spanAt } from '@trunkline/contract/alarms/maintenance/maintenance.rules'
import {
  WINDOWS_AT_MOST,
  type MaintenanceWindow,
  type WindowTimes,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import { sortRows, rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import * as auditService from '../../audit/audit.service.ts'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import { assertGroupExists, coveredKey, titlesOfCovered } from '../covered.ts'
import { assertMayPlan, assertTheirs, groupsOf, maySeeCovered } from '../covered.policy.ts'
import { keepInMemory } from '../kept-in-memory.ts'
import * as maintenanceStore from './maintenance.store.ts'
import type { StoredWindow } from './maintenance.store.ts'

const ALSO_OTHERS =
  'This also belongs to another group, which would not be called either. Plan the maintenance of your group, or ask an admin.'

export function openMaintenance(
  ctx: Pick<Context, 'db' | 'log' | 'notices' | 'maintenance'>,
): AsyncDisposable {
  const failed = 'The maintenance windows could not be read.'
  return keepInMemory(ctx, 'maintenance', async () => refresh(ctx), failed)
}

async function refresh({ db, maintenance }: Pick<Context, 'db' | 'maintenance'>): Promise<void> {
  maintenance.replace(await maintenanceStore.list(db))
}

export async function list(
  ctx: Context,
  actor: Actor,
  { page, rowsPerPage, sort }: QueryOf<typeof listMaintenance>,
): Promise<ReplyOf<typeof listMaintenance>> {
  const nowMs = ctx.clock()
  const found = ctx.maintenance
    .all()
    .filter(({ covers }) => maySeeCovered(ctx, actor, covers))
    .map((window) => ({ window, order: orderOf(window.times, nowMs) }))
    .toSorted((a, b) => a.order - b.order)
  const sorted = sortRows(found, sort, { title: ({ window }) => window.title })
  const shown = rowsOfPage(sorted, { page, rowsPerPage }).map(({ window }) => window)
  const titles = await titlesOfCovered(
    ctx.db,
    shown.map(({ covers }) => covers),
  )
  const data = shown.map((window) => wire(ctx, window, titles))
  return { status: true, data, total: found.length }
}

export async function add(
  ctx: Context,
  actor: Actor,
  { title, covers, times }: BodyOf<typeof addMaintenance>,
  id: string,
): Promise<ReplyOf<typeof addMaintenance>> {
  assertMayPlan(ctx, actor, covers, ALSO_OTHERS)
  assertAhead(ctx, times)
  const createdAt = new Date(ctx.clock()).toISOString()
  const window: StoredWindow = { id, version: 1, createdAt, title, covers, times }
  await ctx.db.transaction().execute(async (trx) => {
    await assertGroupExists(trx, covers)
    if ((await maintenanceStore.count(trx)) >= WINDOWS_AT_MOST) {
      throw conflict(
        `There are ${WINDOWS_AT_MOST} maintenance windows. Delete some that are over, then add this again.`,
      )
    }
    await maintenanceStore.insert(trx, window)
    const after = { title, covers, times }
    await auditService.record(trx, {
      ...lineOf({ actor, call: 'maintenance.add' }, window),
      after,
    })
  })
  await tell(ctx, window, 'added')
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addMaintenance>> {
  const window = await load(ctx, ctx.db, actor, id)
  return {
    status: true,
    data: wire(ctx, window, await titlesOfCovered(ctx.db, [window.covers])),
    id,
  }
}

/** Absent fields stay as they are. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  change: BodyOf<typeof updateMaintenance>,
): Promise<ReplyOf<typeof updateMaintenance>> {
  const { version, title, times } = change
  if (times !== undefined) assertAhead(ctx, times)
  const contentAfter = (before: StoredWindow) => ({
    title: title ?? before.title,
    times: times ?? before.times,
  })
  const after = await ctx.db.transaction().execute(async (trx) => {
    const before = await saveVersioned({
      version,
      read: async () => load(ctx, trx, actor, id),
      versionOf: (window) => window.version,
      write: async (window) => maintenanceStore.update(trx, window, contentAfter(window)),
      outdated: (now) =>
        outdated(
          'maintenance window',
          wire(ctx, now, new Map()),
          changedFields({ title, times }, { title: now.title, times: now.times }),
        ),
    })
    await auditService.record(trx, {
      ...lineOf({ actor, call: 'maintenance.update' }, before),
      before: { title: before.title, times: before.times },
      after: contentAfter(before),
    })
    return load(ctx, trx, actor, id)
  })
  return { status: true, data: await saved(ctx, after, 'changed') }
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeMaintenance>> {
  const removed = await ctx.db.transaction().execute(async (trx) => {
    const found = await load(ctx, trx, actor, id)
    if (!(await maintenanceStore.remove(trx, id))) throw notFound('maintenance window')
    await auditService.record(trx, {
      ...lineOf({ actor, call: 'maintenance.remove' }, found),
      before: { title: found.title, covers: found.covers, times: found.times },
    })
    return found
  })
  await tell(ctx, removed, 'removed')
  return { status: true, id }
}

async function load(ctx: Context, db: Db, actor: Actor, id: string): Promise<StoredWindow> {
  const found = await maintenanceStore.find(db, id)
  if (found === null || !maySeeCovered(ctx, actor, found.covers)) {
    throw notFound('maintenance window')
  }
  assertTheirs(ctx, actor, found.covers, ALSO_OTHERS)
  return found
}

function assertAhead(ctx: Context, times: WindowTimes): void {
  if (spanAt(times, ctx.clock()) === null) {
    throw invalid('times.until', 'must be in the future: this window would be over already.')
  }
}

type Doer = Pick<auditService.AuditEntry, 'actor' | 'call'>

function lineOf(doer: Doer, { id, title }: StoredWindow) {
  return { ...doer, object: { kind: 'maintenance' as const, id, title } }
}

async function saved(ctx: Context, window: StoredWindow, change: 'added' | 'changed') {
  await tell(ctx, window, change)
  return wire(ctx, window, await titlesOfCovered(ctx.db, [window.covers]))
}

/** This process knows it before it answers; the others hear of it. */
async function tell(
  ctx: Context,
  { id, covers }: StoredWindow,
  change: 'added' | 'changed' | 'removed',
): Promise<void> {
  await refresh(ctx)
  ctx.notices.tell({ kind: 'maintenance', id, change, groupIds: groupsOf(ctx, covers) })
}

/** What is on, by its end; then what comes, by its start; then what is over, the latest first. */
function orderOf(times: WindowTimes, nowMs: number): number {
  const span = spanAt(times, nowMs)
  if (span !== null) return span.fromMs <= nowMs ? span.untilMs - FAR_MS : span.fromMs
  return times.repeats === 'once' ? 2 * FAR_MS - Date.parse(times.until) : 2 * FAR_MS
}

/** Beyond all moments. */
const FAR_MS = 8.64e15

function wire(
  ctx: Context,
  { id, version, title, covers, times }: StoredWindow,
  titles: ReadonlyMap<string, string>,
): MaintenanceWindow {
  const nowMs = ctx.clock()
  const span = spanAt(times, nowMs)
  const isOn = span !== null && span.fromMs <= nowMs
  const nextMs = isOn ? spanAt(times, span.untilMs)?.fromMs : span?.fromMs
  return {
    _id: id,
    id,
    version,
    title,
    covers: { ...covers, title: titles.get(coveredKey(covers)) ?? '' },
    times,
    activeUntil: isOn ? new Date(span.untilMs).toISOString() : null,
    nextFrom: nextMs === undefined ? null : new Date(nextMs).toISOString(),
  }
}
