/** Adds, changes and removes overrides of alarm rules, and keeps what is known of them up to date in this process. */
import { rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import { RULES } from '@trunkline/contract/alarms/alarm.rules'
import { ALARM_RULES } from '@trunkline/contract/alarms/open-alarms.schema'
import type {
  addOverride,
  listOverrides,
  readCombinedRules,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import { canOverride, rulesOf } from '@trunkline/contract/alarms/overrides/override.rules'
import {
  OVERRIDES_AT_MOST,
  settingsFaults,
  type AlarmOverride,
} from '@trunkline/contract/alarms/overrides/override.schema'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { placeOf } from '../../fleet/object-place.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import { assertGroupExists, coveredKey, titlesOfCovered } from '../covered.ts'
import { assertMayPlan, assertTheirs, groupsOf, maySeeCovered } from '../covered.policy.ts'
import { keepInMemory } from '../kept-in-memory.ts'
import * as overrideStore from './override.store.ts'
import type { StoredOverride } from './override.store.ts'

const ALSO_OTHERS =
  'This also belongs to another group, whose alarms would change too. Override the rule for your group, or ask an admin.'

/** Resolves when they are known: no alarm is judged before. */
export async function openOverrides(
  ctx: Pick<Context, 'db' | 'log' | 'notices' | 'overrides'>,
): Promise<AsyncDisposable> {
  const failed = 'The overrides of alarm rules could not be read.'
  const kept = keepInMemory(ctx, 'alarmOverride', async () => refresh(ctx), failed)
  await kept.opened
  return kept
}

async function refresh({ db, overrides }: Pick<Context, 'db' | 'overrides'>): Promise<void> {
  overrides.replace(await overrideStore.list(db))
}

export async function list(
  ctx: Context,
  actor: Actor,
  { rule, page, rowsPerPage }: QueryOf<typeof listOverrides>,
): Promise<ReplyOf<typeof listOverrides>> {
  const found = ctx.overrides
    .all()
    .filter((override) => rule === '' || override.rule === rule)
    .filter(({ covers }) => maySeeCovered(ctx, actor, covers))
    .toSorted(inOrder)
  const shown = rowsOfPage(found, { page, rowsPerPage })
  const titles = await titlesOfCovered(
    ctx.db,
    shown.map(({ covers }) => covers),
  )
  const data = shown.map((override) => wire(override, titles))
  return { status: true, data, total: found.length }
}

/** Of the rules that raise alarms of that object. */
export function combined(
  ctx: Context,
  actor: Actor,
  { kind, id }: QueryOf<typeof readCombinedRules>,
): ReplyOf<typeof readCombinedRules> {
  const object = { kind, id }
  if (placeOf(ctx, object) === null || !maySeeCovered(ctx, actor, object)) throw notFound(kind)
  const seen = new Set(
    ctx.overrides
      .all()
      .filter(({ covers }) => maySeeCovered(ctx, actor, covers))
      .map((override) => override.id),
  )
  const shown = (from: string) => (from === '' || seen.has(from) ? from : 'hidden')
  const data = rulesOf(kind).map((rule) => {
    const { settings, from } = ctx.overrides.tracedOf(object, rule)
    const { isOff, severity, threshold, raiseAfterMs, clearAfterMs } = settings
    return {
      rule,
      isOff,
      severity,
      threshold,
      raiseAfterMs,
      clearAfterMs,
      from: {
        isOff: shown(from.isOff),
        severity: shown(from.severity),
        threshold: shown(from.threshold),
        raiseAfterMs: shown(from.raiseAfterMs),
        clearAfterMs: shown(from.clearAfterMs),
      },
    }
  })
  return { status: true, data }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addOverride>,
  id: string,
): Promise<ReplyOf<typeof addOverride>> {
  const { covers, rule } = draft
  assertMayPlan(ctx, actor, covers, ALSO_OTHERS)
  if (!canOverride(covers.kind, rule)) {
    throw invalid('rule', `must be a rule that raises alarms of ${covers.kind}s.`)
  }
  const createdAt = new Date(ctx.clock()).toISOString()
  const override: StoredOverride = { ...draft, id, version: 1, createdAt }
  await ctx.db.transaction().execute(async (trx) => {
    await assertGroupExists(trx, covers)
    if ((await overrideStore.count(trx)) >= OVERRIDES_AT_MOST) {
      throw conflict(
        `There are ${OVERRIDES_AT_MOST} overrides. Delete some that are not needed, then add this again.`,
      )
    }
    await overrideStore.insert(trx, override, () =>
      conflict(
        `There is an override of '${RULES[rule].title}' for this ${covers.kind} already. Change that.`,
        { field: 'rule' },
      ),
    )
    const line = await lineOf(trx, { actor, call: 'alarmOverrides.add' }, override)
    await auditService.record(trx, { ...line, after: draft })
  })
  await tell(ctx, override, 'added')
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addOverride>> {
  const override = await load(ctx, ctx.db, actor, id)
  return {
    status: true,
    data: wire(override, await titlesOfCovered(ctx.db, [override.covers])),
    id,
  }
}

/** All settings are replaced. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  change: BodyOf<typeof updateOverride>,
): Promise<ReplyOf<typeof updateOverride>> {
  const settings = overrideStore.settingsOf(change)
  const after = await ctx.db.transaction().execute(async (trx) => {
    const before = await saveVersioned({
      version: change.version,
      read: async () => {
        const override = await load(ctx, trx, actor, id)
        const [fault] = settingsFaults(override.rule, settings)
        if (fault !== undefined) throw invalid(fault.field, fault.message)
        return override
      },
      versionOf: (override) => override.version,
      write: async (override) => overrideStore.update(trx, override, settings),
      outdated: (now) =>
        outdated(
          'override',
          wire(now, new Map()),
          changedFields({ ...settings }, { ...overrideStore.settingsOf(now) }),
        ),
    })
    await auditService.record(trx, {
      ...(await lineOf(trx, { actor, call: 'alarmOverrides.update' }, before)),
      before: overrideStore.settingsOf(before),
      after: settings,
    })
    return load(ctx, trx, actor, id)
  })
  return { status: true, data: await saved(ctx, after, 'changed') }
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeOverride>> {
  const removed = await ctx.db.transaction().execute(async (trx) => {
    const found = await load(ctx, trx, actor, id)
    if (!(await overrideStore.remove(trx, id))) throw notFound('override')
    const { covers, rule } = found
    await auditService.record(trx, {
      ...(await lineOf(trx, { actor, call: 'alarmOverrides.remove' }, found)),
      before: { ...overrideStore.settingsOf(found), covers, rule },
    })
    return found
  })
  await tell(ctx, removed, 'removed')
  return { status: true, id }
}

async function load(ctx: Context, db: Db, actor: Actor, id: string): Promise<StoredOverride> {
  const found = await overrideStore.find(db, id)
  if (found === null || !maySeeCovered(ctx, actor, found.covers)) throw notFound('override')
  assertTheirs(ctx, actor, found.covers, ALSO_OTHERS)
  return found
}

/** 'Peer lost of North' */
async function lineOf(
  db: Db,
  doer: Pick<auditService.AuditEntry, 'actor' | 'call'>,
  { id, rule, covers }: StoredOverride,
) {
  const titles = await titlesOfCovered(db, [covers])
  const of = titles.get(coveredKey(covers)) ?? covers.id
  const object = { kind: 'alarmOverride' as const, id, title: `${RULES[rule].title} of ${of}` }
  return { ...doer, object }
}

async function saved(ctx: Context, override: StoredOverride, change: 'added' | 'changed') {
  await tell(ctx, override, change)
  return wire(override, await titlesOfCovered(ctx.db, [override.covers]))
}

/** This process knows it before it answers; the others hear of it. */
async function tell(
  ctx: Context,
  { id, covers }: StoredOverride,
  change: 'added' | 'changed' | 'removed',
): Promise<void> {
  await refresh(ctx)
  ctx.notices.tell({ kind: 'alarmOverride', id, change, groupIds: groupsOf(ctx, covers) })
}

function inOrder(a: StoredOverride, b: StoredOverride): number {
  const byRule = ALARM_RULES.indexOf(a.rule) - ALARM_RULES.indexOf(b.rule)
  return byRule || widthOf(a) - widthOf(b) || (a.id < b.id ? -1 : 1)
}

function widthOf({ covers: { kind } }: StoredOverride): number {
  return kind === 'group' ? 0 : kind === 'server' ? 1 : 2
}

function wire(override: StoredOverride, titles: ReadonlyMap<string, string>): AlarmOverride {
  const { id, version, covers, rule } = override
  return {
    _id: id,
    id,
    version,
    covers: { ...covers, title: titles.get(coveredKey(covers)) ?? '' },
    rule,
    ...overrideStore.settingsOf(override),
  }
}
