/**
 * Messages in the database: those that wait to be sent, which survive a restart, and the log of those
 * that were. A process that tries a message holds a lease of it, so that several send it once.
 */
import type {
  DeliveryState,
  NotificationDelivery,
  NotificationKind,
} from '@trunkline/contract/notifications/notification.schema'
import { sql, type SqlBool } from 'kysely'
import { decodeJson, encodeJson } from '../db/codecs.ts'
import type { Db } from '../db/open.ts'
import { countRows } from '../db/queries/row-counts.ts'
import type { NotificationDeliveryRow } from '../db/schema.ts'
import { NotificationMessage } from './message.rules.ts'

export interface Delivery {
  id: string
  ruleId: string
  ruleTitle: string
  kind: NotificationKind
  reason: NotificationDelivery['reason']
  state: DeliveryState
  createdAtMs: number
  attempts: number
  nextTryAtMs: number | null
  finishedAtMs: number | null
  answer: string
  message: NotificationMessage
}

/** Longer answers are cut. */
const ANSWER_CHARACTERS = 500

export async function insert(db: Db, delivery: Delivery): Promise<void> {
  await db.insertInto('notification_deliveries').values(rowOf(delivery)).execute()
}

/** Messages about alarms of each rule since then, the newest first, and how many of it wait. */
export async function messagesOf(
  db: Db,
  ruleId: string,
  sinceMs: number,
): Promise<{ atMs: number[]; waiting: number }> {
  const made = await db
    .selectFrom('notification_deliveries')
    .select('created_at')
    .where('rule_id', '=', ruleId)
    .where('created_at', '>=', text(sinceMs))
    .where('reason', '=', 'alarms')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const atMs = made.map(({ created_at: at }) => Date.parse(at))
  return { atMs, waiting: await countWaiting(db, ruleId) }
}

export async function countWaiting(db: Db, ruleId: string): Promise<number> {
  const deliveries = db.selectFrom('notification_deliveries').where('rule_id', '=', ruleId)
  return countRows(deliveries.where('state', '=', 'waiting'))
}

/** Of each rule the oldest message that waits: a rule's messages are sent in order. */
export async function oldestWaiting(
  db: Db,
): Promise<{ id: string; ruleId: string; nextTryAtMs: number; leasedUntilMs: number }[]> {
  const rows = await db
    .selectFrom('notification_deliveries as each')
    .select(['id', 'rule_id', 'next_try_at', 'leased_until'])
    .where('state', '=', 'waiting')
    .where(
      sql<SqlBool>`not exists (
        select 1 from notification_deliveries as older
        where older.state = 'waiting' and older.rule_id = each.rule_id
          and (older.created_at, older.id) < (each.created_at, each.id))`,
    )
    .execute()
  return rows.map(({ id, rule_id: ruleId, next_try_at: at, leased_until: until }) => ({
    id,
    ruleId,
    nextTryAtMs: Date.parse(at ?? ''),
    leasedUntilMs: until === null ? -Infinity : Date.parse(until),
  }))
}

export interface Lease {
  deliveryId: string
  /** Of this try alone. */
  leaseId: string
  untilMs: number
}

/** Counts the try. Null when another process has it, or it is finished. */
export async function claim(db: Db, lease: Lease, nowMs: number): Promise<Delivery | null> {
  const row = await db
    .updateTable('notification_deliveries')
    .set({ leased_by: lease.leaseId, leased_until: text(lease.untilMs) })
    .set((each) => ({ attempts: each('attempts', '+', 1) }))
    .where('id', '=', lease.deliveryId)
    .where('state', '=', 'waiting')
    .where('next_try_at', '<=', text(nowMs))
    .where(sql<SqlBool>`(leased_until is null or leased_until <= ${text(nowMs)})`)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : deliveryOf(row)
}

export type Outcome =
  | { state: 'sent' | 'failed'; answer: string; finishedAtMs: number }
  | { state: 'waiting'; answer: string; nextTryAtMs: number }

/** Nothing is written when the lease has gone to another meanwhile. */
export async function finish(db: Db, lease: Lease, outcome: Outcome): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({
      state: outcome.state,
      answer: outcome.answer.slice(0, ANSWER_CHARACTERS),
      leased_by: null,
      leased_until: null,
      finished_at: outcome.state === 'waiting' ? null : text(outcome.finishedAtMs),
      next_try_at: outcome.state === 'waiting' ? text(outcome.nextTryAtMs) : null,
    })
    .where('id', '=', lease.deliveryId)
    .where('leased_by', '=', lease.leaseId)
    .execute()
}

/** The try was broken off by the end of this process: it does not count. */
export async function release(db: Db, lease: Lease): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({ leased_by: null, leased_until: null })
    .set((each) => ({ attempts: each('attempts', '-', 1) }))
    .where('id', '=', lease.deliveryId)
    .where('leased_by', '=', lease.leaseId)
    .execute()
}

/** What waits of a rule is tried again at once. */
export async function retryNow(db: Db, ruleId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({ next_try_at: text(nowMs) })
    .where('state', '=', 'waiting')
    .where('rule_id', '=', ruleId)
    .execute()
}

/** What waits of a rule is not sent. */
export async function giveUp(db: Db, ruleId: string, why: string, nowMs: number): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({
      state: 'failed',
      answer: why,
      finished_at: text(nowMs),
      next_try_at: null,
      leased_by: null,
      leased_until: null,
    })
    .where('state', '=', 'waiting')
    .where('rule_id', '=', ruleId)
    .execute()
}

export interface LogFilter {
  ruleId: string
  state: DeliveryState | ''
  /** 'created_at id' of the last that was read; '' for the newest. */
  before: string
  limit: number
}

/** Newest first. */
export async function log(db: Db, filter: LogFilter): Promise<Delivery[]> {
  let wanted = db.selectFrom('notification_deliveries').selectAll()
  if (filter.ruleId !== '') wanted = wanted.where('rule_id', '=', filter.ruleId)
  if (filter.state !== '') wanted = wanted.where('state', '=', filter.state)
  if (filter.before !== '') {
    const [at = '', id = ''] = filter.before.split(' ')
    wanted = wanted.where(sql<SqlBool>`(created_at, id) < (${at}, ${id})`)
  }
  const rows = await wanted
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute()
  return rows.map(deliveryOf)
}

/** Removes finished messages of before that moment, at most `most`; answers how many. */
export async function removeBefore(db: Db, before: string, most: number): Promise<number> {
  const oldest = db
    .selectFrom('notification_deliveries')
    .select('id')
    .where('created_at', '<', before)
    .where('state', '!=', 'waiting')
    .orderBy('created_at')
    .limit(most)
  const { numDeletedRows } = await db
    .deleteFrom('notification_deliveries')
    .where('id', 'in', oldest)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function rowOf(delivery: Delivery): NotificationDeliveryRow {
  const { nextTryAtMs, finishedAtMs } = delivery
  return {
    id: delivery.id,
    rule_id: delivery.ruleId,
    rule_title: delivery.ruleTitle,
    kind: delivery.kind,
    reason: delivery.reason,
    state: delivery.state,
    created_at: text(delivery.createdAtMs),
    attempts: delivery.attempts,
    next_try_at: nextTryAtMs === null ? null : text(nextTryAtMs),
    leased_by: null,
    leased_until: null,
    finished_at: finishedAtMs === null ? null : text(finishedAtMs),
    answer: delivery.answer.slice(0, ANSWER_CHARACTERS),
    message: encodeJson(delivery.message),
  }
}

function deliveryOf(row: NotificationDeliveryRow): Delivery {
  return {
    id: row.id,
    ruleId: row.rule_id,
    ruleTitle: row.rule_title,
    kind: row.kind as NotificationKind,
    reason: row.reason as Delivery['reason'],
    state: row.state as DeliveryState,
    createdAtMs: Date.parse(row.created_at),
    attempts: row.attempts,
    nextTryAtMs: row.next_try_at === null ? null : Date.parse(row.next_try_at),
    finishedAtMs: row.finished_at === null ? null : Date.parse(row.finished_at),
    answer: row.answer,
    message: decodeJson(NotificationMessage, row.message),
  }
}
