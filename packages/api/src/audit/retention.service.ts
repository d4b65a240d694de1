/**
 * The record of activity, the events of objects, cleared alarms and the log of notifications are kept
 * for TRUNKLINE_AUDIT_DAYS. Once a day older rows are removed, a few at a time so that no request waits for it, and an audit line says how many
 * lines of the record were removed.
 */
import { DAY_MS } from '@trunkline/contract/durations'
import * as alarmStore from '../alarms/alarm.store.ts'
import type { Context } from '../context.ts'
import * as deliveryStore from '../notifications/delivery.store.ts'
import * as linkDayStore from '../links/history/link-day.store.ts'
import * as eventStore from '../events/event.store.ts'
import * as auditService from './audit.service.ts'
import * as auditStore from './audit.store.ts'
import * as sealStore from './seals/record-seal.store.ts'

const ROWS_AT_ONCE = 500
/** Between two batches other requests are answered: SQLite works in our own thread. */
const PAUSE_MS = 50

/** Begins at once and then daily, until it is disposed. */
export function openRetention(ctx: Context): AsyncDisposable {
  const end = new AbortController()
  let working = Promise.resolve()
  const remove = () => {
    working = removeOld(ctx, end.signal).then(noResult, (error: unknown) =>
      ctx.log.error({ err: error }, 'Old lines of the record of activity could not be removed.'),
    )
  }
  const timer = setInterval(remove, DAY_MS)
  timer.unref()
  remove()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      end.abort()
      await working
    },
  }
}

function noResult(): void {}

/** Answers how many rows were removed. An abort ends it after the current batch. */
export async function removeOld(
  ctx: Context,
  signal: AbortSignal,
): Promise<{ lines: number; events: number }> {
  const { auditDays } = ctx.config
  if (auditDays === null) return { lines: 0, events: 0 }
  const before = new Date(ctx.clock() - auditDays * DAY_MS).toISOString()
  const lines = await removeInBatches(async () => {
    // Before their lines: a seal without its lines would look like a fault.
    await sealStore.removeBefore(ctx.db, before)
    return auditStore.removeBefore(ctx.db, before, ROWS_AT_ONCE)
  }, signal)
  if (lines > 0) await recordRemoval(ctx, lines, before)
  const events = await removeInBatches(
    async () => eventStore.removeBefore(ctx.db, before, ROWS_AT_ONCE),
    signal,
  )
  await removeInBatches(
    async () => linkDayStore.removeBefore(ctx.db, before.slice(0, 10), ROWS_AT_ONCE),
    signal,
  )
  await removeInBatches(async () => alarmStore.removeBefore(ctx.db, before, ROWS_AT_ONCE), signal)
  await removeInBatches(
    async () => deliveryStore.removeBefore(ctx.db, before, ROWS_AT_ONCE),
    signal,
  )
  return { lines, events }
}

/** `removeBatch` answers how many rows it has removed: fewer than ROWS_AT_ONCE when none is left. */
async function removeInBatches(
  removeBatch: () => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const batch = await removeBatch()
    removed += batch
    if (batch < ROWS_AT_ONCE) break
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return removed
}

async function recordRemoval(ctx: Context, removed: number, before: string): Promise<void> {
  const lines = removed === 1 ? 'line' : 'lines'
  await auditService.record(ctx, {
    actor: null,
    call: 'audit.prune',
    object: null,
    reason: `${removed} ${lines} from before ${before} removed (TRUNKLINE_AUDIT_DAYS is ${ctx.config.auditDays})`,
  })
}
