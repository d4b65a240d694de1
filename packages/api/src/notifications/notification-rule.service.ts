/** Notification rules as people make them. Their secrets go in and never come out (decisions.md 17). */
import {
  RULES_AT_MOST,
  type addNotificationRule,
  type listNotificationDeliveries,
  type listNotificationRules,
  type removeNotificationRule,
  type testNotificationRule,
  type updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import {
  keepsSecrets,
  SECRETS,
  targetFaults,
} from '@trunkline/contract/notifications/notification.rules'
import type {
  NotificationDelivery,
  NotificationRule,
  NotificationRuleDraft,
  NotificationRuleEdit,
  TargetDraft,
} from '@trunkline/contract/notifications/notification.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { fieldSentence, invalid, notFound, refused } from '../errors.ts'
import * as groupService from '../groups/group.service.ts'
import { newId } from '../id.ts'
import { assertNext, pageOf } from '../next-page.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import * as deliveryStore from './delivery.store.ts'
import type { Delivery } from './delivery.store.ts'
import { subjectOf, testMessage, textOf } from './message.rules.ts'
import * as notifiedAlarmStore from './notified-alarm.store.ts'
import * as ruleStore from './notification-rule.store.ts'
import { Secrets, type RuleContent, type RuleRecord } from './notification-rule.store.ts'
import { sendTo } from './send/send.ts'
import { snmpEngineIdOf } from './send/snmp-engine.store.ts'

export async function list(ctx: Context): Promise<ReplyOf<typeof listNotificationRules>> {
  const rules = await ruleStore.list(ctx.db)
  const data = await Promise.all(rules.map(async (rule) => wire(ctx, ctx.db, rule)))
  return { status: true, data, snmpEngineId: await snmpEngineIdOf(ctx.db) }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: NotificationRuleDraft,
  id: string,
): Promise<ReplyOf<typeof addNotificationRule>> {
  await ctx.db.transaction().execute(async (trx) => {
    if ((await ruleStore.list(trx)).length >= RULES_AT_MOST) {
      throw refused(`There are ${RULES_AT_MOST} notification rules already. Delete one first.`)
    }
    await assertGroups(trx, actor, draft.groupIds)
    const createdAt = new Date(ctx.clock()).toISOString()
    const rule = { id, version: 1, createdAt, ...contentOf(ctx, draft, null) }
    await ruleStore.insert(trx, rule)
    await record(trx, { actor, call: 'notificationRules.add', id, after: recorded(ctx, rule) })
  })
  tell(ctx, id, 'added')
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  _actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addNotificationRule>> {
  return { status: true, data: await wire(ctx, ctx.db, await load(ctx.db, id)), id }
}

export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: NotificationRuleEdit,
): Promise<ReplyOf<typeof updateNotificationRule>> {
  const data = await ctx.db.transaction().execute(async (trx) => {
    await assertGroups(trx, actor, edit.groupIds)
    const before = await saveVersioned({
      version: edit.version,
      read: async () => load(trx, id),
      versionOf: ({ version }) => version,
      write: async (stored) => ruleStore.update(trx, stored, contentOf(ctx, edit, stored)),
      outdated: async (current) => {
        const { version: _, ...sent } = edit
        return outdated(
          'notification rule',
          await wire(ctx, trx, current),
          changedFields(sent, { ...current }),
        )
      },
    })
    const rule = await load(trx, id)
    const nowMs = ctx.clock()
    if (rule.isEnabled) await deliveryStore.retryNow(trx, id, nowMs)
    else await deliveryStore.giveUp(trx, id, 'Not sent: the rule was switched off.', nowMs)
    const data = await wire(ctx, trx, rule)
    await record(trx, {
      actor,
      call: 'notificationRules.update',
      id,
      before: recorded(ctx, before),
      after: recorded(ctx, rule),
    })
    return data
  })
  tell(ctx, id, 'changed')
  return { status: true, data }
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeNotificationRule>> {
  await ctx.db.transaction().execute(async (trx) => {
    const before = recorded(ctx, await load(trx, id))
    if (!(await ruleStore.remove(trx, id))) throw notFound('notification rule')
    await notifiedAlarmStore.removeAll(trx, id)
    await deliveryStore.giveUp(trx, id, 'Not sent: the rule was deleted.', ctx.clock())
    await record(trx, { actor, call: 'notificationRules.remove', id, before })
  })
  tell(ctx, id, 'removed')
  return { status: true, id }
}

/** Sends at once, whether the rule is on or off; there is no second try. */
export async function test(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof testNotificationRule>> {
  const rule = await load(ctx.db, id)
  const createdAtMs = ctx.clock()
  const delivery: Delivery = {
    id: newId(),
    ruleId: id,
    ruleTitle: rule.title,
    kind: rule.target.kind,
    reason: 'test',
    state: 'failed',
    createdAtMs,
    attempts: 1,
    nextTryAtMs: null,
    finishedAtMs: null,
    answer: '',
    message: testMessage(rule, createdAtMs),
  }
  const { isSent, answer } = await sendTo(ctx, rule, delivery)
  const done = {
    ...delivery,
    state: isSent ? ('sent' as const) : ('failed' as const),
    finishedAtMs: ctx.clock(),
    answer,
  }
  await deliveryStore.insert(ctx.db, done)
  await auditService.record(ctx, {
    actor,
    call: 'notificationRules.test',
    object: { kind: 'notificationRule', id, title: rule.title },
    result: isSent ? 'done' : 'failed',
    reason: answer,
  })
  tell(ctx, id, 'changed')
  return { status: true, data: wireDelivery(done) }
}

export async function deliveries(
  ctx: Context,
  asked: QueryOf<typeof listNotificationDeliveries>,
): Promise<ReplyOf<typeof listNotificationDeliveries>> {
  const { before, limit } = asked
  assertNext(before)
  const found = await deliveryStore.log(ctx.db, { ...asked, limit: limit + 1 })
  const { shown, next } = pageOf(found, limit, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }))
  return { status: true, data: shown.map(wireDelivery), next }
}

async function load(db: Db, id: string): Promise<RuleRecord> {
  const found = await ruleStore.find(db, id)
  if (found === null) throw notFound('notification rule')
  return found
}

/** One that was deleted meanwhile is refused by name: without it the rule could become one of all groups. */
async function assertGroups(trx: Db, actor: Actor, groupIds: readonly string[]): Promise<void> {
  for (const id of groupIds) {
    const found = await groupService.loadFrom(trx, actor, id).catch(() => null)
    if (found === null) {
      throw invalid('groupIds', 'must be groups that exist. One was deleted: choose again.')
    }
  }
}

/** What is stored of it. `before`: null for a new rule. */
function contentOf(
  { keys }: Pick<Context, 'keys'>,
  draft: NotificationRuleDraft,
  before: RuleRecord | null,
): RuleContent {
  const { title, isEnabled, groupIds, severity, sendsCleared, language } = draft
  const { delaySeconds, groupingSeconds, repeatMinutes } = draft
  const { target, secrets: typed } = splitTarget(draft.target)
  const kept = before !== null && keepsSecrets(before.target, target) ? before.secretsSealed : null
  const stored = kept === null ? {} : Secrets.parse(JSON.parse(keys.open(kept)))
  const secrets: Secrets =
    target.kind === 'email' && target.user === '' ? {} : { ...stored, ...typed }
  if (target.kind === 'webhook' && !URL.canParse(target.url)) {
    throw invalid('target.url', 'is not a valid address. Correct it.')
  }
  const [fault] = targetFaults(target, (name) => (secrets[name] ?? '') !== '')
  if (fault !== undefined)
    throw invalid(`target.${fault.field}`, fieldSentence(fault.field, fault.sentence))
  const secretsSealed =
    Object.keys(secrets).length === 0 ? null : keys.seal(JSON.stringify(secrets))
  return {
    title,
    isEnabled,
    groupIds: [...new Set(groupIds)],
    severity,
    delaySeconds,
    groupingSeconds,
    repeatMinutes,
    sendsCleared,
    language,
    target,
    secretsSealed,
  }
}

/** The target without what is secret or only echoed, and the secrets that were typed. */
function splitTarget(draft: TargetDraft): { target: TargetDraft; secrets: Secrets } {
  const names: readonly string[] = SECRETS[draft.kind]
  const target: Record<string, unknown> = {}
  const secrets: Secrets = {}
  for (const [name, value] of Object.entries(draft)) {
    const isEchoed = name.endsWith('Set') || name === 'apiResult' || name === 'uptime'
    if (names.includes(name)) {
      target[name] = ''
      if (value !== '') secrets[name] = String(value)
    } else if (!isEchoed) target[name] = value
  }
  return { target: target as TargetDraft, secrets }
}

/** Of its secrets only whether they are set. */
function shownTarget(
  { keys }: Pick<Context, 'keys'>,
  { target, secretsSealed }: RuleRecord,
): NotificationRule['target'] {
  const secrets = secretsSealed === null ? {} : Secrets.parse(JSON.parse(keys.open(secretsSealed)))
  const isSet = SECRETS[target.kind].map((name) => [`${name}Set`, secrets[name] !== undefined])
  return { ...target, ...Object.fromEntries(isSet) } as NotificationRule['target']
}

async function wire(ctx: Context, db: Db, rule: RuleRecord): Promise<NotificationRule> {
  const { secretsSealed: _sealed, createdAt: _, ...shown } = rule
  const [last] = await deliveryStore.log(db, { ruleId: rule.id, state: '', before: '', limit: 1 })
  return {
    ...shown,
    _id: rule.id,
    target: shownTarget(ctx, rule),
    waiting: await deliveryStore.countWaiting(db, rule.id),
    last:
      last === undefined
        ? null
        : {
            state: last.state,
            createdAt: new Date(last.createdAtMs).toISOString(),
            answer: last.answer,
          },
  }
}

function wireDelivery(delivery: Delivery): NotificationDelivery {
  const { id, ruleId, ruleTitle, kind, reason, state, attempts, answer, message } = delivery
  const { createdAtMs, nextTryAtMs, finishedAtMs } = delivery
  return {
    _id: id,
    id,
    ruleId,
    ruleTitle,
    kind,
    reason,
    state,
    createdAt: new Date(createdAtMs).toISOString(),
    attempts,
    nextTryAt: nextTryAtMs === null ? null : new Date(nextTryAtMs).toISOString(),
    finishedAt: finishedAtMs === null ? null : new Date(finishedAtMs).toISOString(),
    answer,
    subject: subjectOf(message),
    text: textOf(message),
  }
}

/** What a person has set, for the record of activity. */
function recorded(ctx: Context, rule: RuleRecord) {
  const { title, isEnabled, groupIds, severity, sendsCleared, language } = rule
  const { delaySeconds, groupingSeconds, repeatMinutes } = rule
  const pace = { delaySeconds, groupingSeconds, repeatMinutes, sendsCleared }
  return { title, isEnabled, groupIds, severity, ...pace, language, target: shownTarget(ctx, rule) }
}

interface Line {
  actor: Actor
  call: string
  id: string
  before?: unknown
  after?: unknown
}

async function record(trx: Db, { id, ...line }: Line): Promise<void> {
  await auditService.record(trx, {
    ...line,
    object: { kind: 'notificationRule', id },
  })
}

function tell(ctx: Context, id: string, change: 'added' | 'changed' | 'removed'): void {
  ctx.notices.tell({ kind: 'notificationRule', id, change, groupIds: [] })
}
