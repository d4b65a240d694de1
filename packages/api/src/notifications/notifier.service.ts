/**
 * Sends alarms by the notification rules. What is due is decided in one transaction of the database,
 * in which the rule is locked, so that several API processes decide it once; who tries a message
 * holds a lease of it, so that it is sent once, and again only after a failure or the end of a process.
 */
import type { Context, Db } from '../context.ts'
import * as alarmStore from '../alarms/alarm.store.ts'
import { newId } from '../id.ts'
import type { Actor } from '../security/actor.ts'
import { nextTryAtMs } from './back-off.rules.ts'
import * as deliveryStore from './delivery.store.ts'
import type { Delivery, Lease } from './delivery.store.ts'
import { dueOf, type Due, type OpenAlarm } from './due.rules.ts'
import { messageOf, type AlarmNote } from './message.rules.ts'
import * as ruleStore from './notification-rule.store.ts'
import type { RuleRecord } from './notification-rule.store.ts'
import * as notifiedAlarmStore from './notified-alarm.store.ts'
import { SEND_LIMIT_MS, sendTo } from './send/send.ts'

export type NotifierContext = Pick<
  Context,
  'db' | 'log' | 'clock' | 'notices' | 'alarms' | 'config' | 'keys'
>

const HOUR_MS = 3_600_000
/** Alarms that change at once are looked at together, and a storm of them not more often. */
const GATHER_MS = 500
/** What another process has left behind when it ended is found after this. */
const LOOK_AT_LEAST_MS = 15_000
/** Longer than a try may take, by clocks of machines that differ by less than the rest. */
const LEASE_MS = 3 * SEND_LIMIT_MS
/** To one host at once: many servers refuse more connections. In all it is one for each rule. */
const SENDING_TO_HOST_AT_MOST = 8

export function openNotifier(ctx: NotifierContext): Notifier {
  const notifier = new Notifier(ctx)
  notifier.begin()
  return notifier
}

export class Notifier implements AsyncDisposable {
  readonly #ctx: NotifierContext
  readonly #end = new AbortController()
  /** By the id of the message. */
  readonly #sending = new Map<string, { host: string; trying: Promise<void> }>()
  readonly #stopHearing: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #wakeAtMs = Infinity
  #working: Promise<void> = Promise.resolve()

  constructor(ctx: NotifierContext) {
    this.#ctx = ctx
  }

  begin(): void {
    this.#stopHearing.push(
      this.#ctx.alarms.listen(() => this.#wake(GATHER_MS)),
      this.#ctx.notices.listen((notice) => {
        if (notice.kind === 'notificationRule') this.#wake(GATHER_MS)
      }),
    )
    this.#wake(0)
  }

  /** Resolves when what is due by now was decided, and each message that may be tried was. */
  async settled(): Promise<void> {
    this.#working = this.#working.then(async () => this.#look())
    await this.#working
    await this.#allTried()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    for (const stop of this.#stopHearing) stop()
    clearTimeout(this.#timer)
    await this.#working
    await this.#allTried()
  }

  async #allTried(): Promise<void> {
    await Promise.all([...this.#sending.values()].map(async ({ trying }) => trying))
  }

  #wake(inMs: number): void {
    if (this.#end.signal.aborted) return
    const atMs = performance.now() + Math.min(inMs, LOOK_AT_LEAST_MS)
    if (atMs >= this.#wakeAtMs) return
    this.#wakeAtMs = atMs
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#wakeAtMs = Infinity
        this.#working = this.#working.then(async () => this.#look())
        // The clock has gone on since: a wait below zero is a warning of Node's.
      },
      Math.max(0, atMs - performance.now()),
    )
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    if (this.#end.signal.aborted) return
    const nowMs = this.#ctx.clock()
    try {
      const rules = await ruleStore.list(this.#ctx.db)
      const againAtMs = [
        ...(await this.#decideAll(rules, nowMs)),
        ...(await this.#tryWaiting(new Map(rules.map((rule) => [rule.id, rule])))),
      ]
      this.#wake(Math.max(GATHER_MS, Math.min(...againAtMs) - nowMs))
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'Notifications could not be looked at.')
      this.#wake(LOOK_AT_LEAST_MS)
    }
  }

  /** When to look again for each rule. */
  async #decideAll(rules: readonly RuleRecord[], nowMs: number): Promise<number[]> {
    const again: number[] = []
    for (const rule of rules) {
      if (!rule.isEnabled) continue
      const open = this.#openOf(rule)
      const looked = await this.#dueFrom(this.#ctx.db, rule, open, nowMs)
      if (looked.due !== null) await this.#decide(rule.id, nowMs)
      else if (looked.againAtMs !== null) again.push(looked.againAtMs)
    }
    return again
  }

  async #dueFrom(db: Db, rule: RuleRecord, open: readonly OpenAlarm[], nowMs: number) {
    const sent = await notifiedAlarmStore.list(db, rule.id)
    const messages = await deliveryStore.messagesOf(db, rule.id, nowMs - HOUR_MS)
    const gone = rule.sendsCleared ? [] : sent.filter(({ isCleared }) => isCleared)
    await notifiedAlarmStore.remove(
      db,
      rule.id,
      gone.map(({ alarmId }) => alarmId),
    )
    return dueOf(rule, open, sent, messages, nowMs)
  }

  /** First causes that the groups of the rule see. */
  #openOf(rule: RuleRecord): OpenAlarm[] {
    const { alarms } = this.#ctx
    return alarms.seenBy(readerOf(rule), null).map((alarm) => ({
      alarmId: alarm.alarmId,
      severity: alarm.severity,
      raisedAtMs: alarm.raisedAtMs,
      isQuiet: alarms.isQuiet(alarm),
    }))
  }

  /** Looks again with the rule locked and the alarms as the database has them, and writes the message. */
  async #decide(ruleId: string, nowMs: number): Promise<void> {
    await this.#ctx.db.transaction().execute(async (trx) => {
      await ruleStore.hold(trx, ruleId)
      const rule = await ruleStore.find(trx, ruleId)
      if (rule === null || !rule.isEnabled) return
      const open = await this.#stillOpen(trx, this.#openOf(rule))
      const { due } = await this.#dueFrom(trx, rule, open, nowMs)
      if (due === null) return
      await notifiedAlarmStore.remove(trx, ruleId, due.cleared)
      const severityOf = new Map(open.map(({ alarmId, severity }) => [alarmId, severity]))
      const sent = [...due.raised, ...due.reminders].flatMap((alarmId) => {
        const severity = severityOf.get(alarmId)
        return severity === undefined ? [] : [{ alarmId, severity }]
      })
      await notifiedAlarmStore.put(trx, ruleId, sent, nowMs)
      const notes = await this.#notesOf(trx, rule, due)
      if (notes.raised.length + notes.reminders.length + notes.cleared.length === 0) return
      await deliveryStore.insert(trx, {
        id: newId(),
        ruleId,
        ruleTitle: rule.title,
        kind: rule.target.kind,
        reason: 'alarms',
        state: 'waiting',
        createdAtMs: nowMs,
        attempts: 0,
        nextTryAtMs: nowMs,
        finishedAtMs: null,
        answer: '',
        message: messageOf(rule, nowMs, notes),
      })
    })
  }

  /** Another process may have written them since. */
  async #stillOpen(db: Db, known: readonly OpenAlarm[]): Promise<OpenAlarm[]> {
    const stored = await alarmStore.readThese(
      db,
      known.map(({ alarmId }) => alarmId),
    )
    return stored.flatMap((alarm) => {
      const { alarmId, severity, raisedAtMs, clearedAtMs, causedBy } = alarm
      if (clearedAtMs !== null || causedBy !== null) return []
      return [{ alarmId, severity, raisedAtMs, isQuiet: this.#ctx.alarms.isQuiet(alarm) }]
    })
  }

  async #notesOf(db: Db, rule: RuleRecord, due: Due): Promise<Record<keyof Due, AlarmNote[]>> {
    const { alarms } = this.#ctx
    const ids = [...due.raised, ...due.reminders, ...due.cleared]
    const stored = await alarmStore.readThese(db, ids)
    const reader = readerOf(rule)
    const notes = new Map<string, AlarmNote>()
    for (const alarm of stored) {
      const head = alarms.head(reader, alarm)
      notes.set(alarm.alarmId, {
        alarmId: alarm.alarmId,
        objectKind: alarm.kind,
        objectId: head.objectId,
        title: head.title,
        rule: alarm.rule,
        severity: alarm.severity,
        sentence: head.sentence,
        raisedAt: new Date(alarm.raisedAtMs).toISOString(),
        clearedAt: alarm.clearedAtMs === null ? null : new Date(alarm.clearedAtMs).toISOString(),
        // A cleared alarm has no consequences any more: the most that it had.
        behind: alarm.clearedAtMs === null ? head.behind : alarm.mostConsequences,
      })
    }
    const of = (some: readonly string[]) => some.flatMap((id) => notes.get(id) ?? [])
    return { raised: of(due.raised), reminders: of(due.reminders), cleared: of(due.cleared) }
  }

  /** Begins to send what is due. Answers when to look for the others. */
  async #tryWaiting(rules: ReadonlyMap<string, RuleRecord>): Promise<number[]> {
    const { db, clock } = this.#ctx
    const again: number[] = []
    for (const waiting of await deliveryStore.oldestWaiting(db)) {
      const { id, ruleId, nextTryAtMs: atMs, leasedUntilMs } = waiting
      const nowMs = clock()
      const dueAtMs = Math.max(atMs, leasedUntilMs)
      const host = hostOf(rules.get(ruleId))
      if (dueAtMs > nowMs) again.push(dueAtMs)
      if (dueAtMs > nowMs || this.#sending.has(id) || !this.#mayTry(host)) continue
      const lease: Lease = { deliveryId: id, leaseId: newId(), untilMs: nowMs + LEASE_MS }
      const delivery = await deliveryStore.claim(db, lease, nowMs)
      if (delivery === null) continue
      const trying = this.#try(lease, delivery, rules.get(delivery.ruleId) ?? null).finally(() => {
        this.#sending.delete(id)
        this.#wake(GATHER_MS)
      })
      this.#sending.set(id, { host, trying })
    }
    return again
  }

  #mayTry(host: string): boolean {
    const toHost = [...this.#sending.values()].filter((sending) => sending.host === host)
    return toHost.length < SENDING_TO_HOST_AT_MOST
  }

  async #try(lease: Lease, delivery: Delivery, rule: RuleRecord | null): Promise<void> {
    const { ctx, signal } = { ctx: this.#ctx, signal: this.#end.signal }
    try {
      const { isSent, answer } =
        rule === null
          ? { isSent: false, answer: 'Not sent: the rule was deleted.' }
          : await sendTo(ctx, rule, delivery, signal)
      await deliveryStore.finish(ctx.db, lease, outcomeOf(delivery, isSent, answer, ctx.clock()))
      ctx.notices.tell({
        kind: 'notificationRule',
        id: delivery.ruleId,
        change: 'changed',
        groupIds: [],
      })
    } catch (error) {
      if (!signal.aborted)
        ctx.log.error({ err: error }, 'What became of a notification could not be written.')
      // Another process, or this one after its restart, sends it at once.
      await deliveryStore.release(ctx.db, lease).catch(() => undefined)
    }
  }
}

/** '' of a rule that was deleted: nothing is sent. */
function hostOf(rule: RuleRecord | undefined): string {
  if (rule === undefined) return ''
  const { target } = rule
  return target.kind === 'webhook' ? new URL(target.url).host : target.host
}

function outcomeOf(
  { attempts, createdAtMs }: Delivery,
  isSent: boolean,
  answer: string,
  nowMs: number,
): deliveryStore.Outcome {
  if (isSent) return { state: 'sent', answer, finishedAtMs: nowMs }
  const againAtMs = nextTryAtMs(attempts, createdAtMs, nowMs)
  if (againAtMs !== null) return { state: 'waiting', answer, nextTryAtMs: againAtMs }
  const sentence = `Given up after ${attempts} ${attempts === 1 ? 'try' : 'tries'}. ${answer}`
  return { state: 'failed', answer: sentence, finishedAtMs: nowMs }
}

/** A rule reads alarms as a manager of its groups does; one of all groups as an admin. */
function readerOf({ groupIds, title }: RuleRecord): Actor {
  const role = groupIds.length === 0 ? 'admin' : 'manager'
  return { id: '', email: '', fullName: title, role, groupIds, sessionId: '', ip: '' }
}
