/**
 * The record of activity is kept for TRUNKLINE_AUDIT_DAYS. Once a day the lines that are older go,
 * a few at a time so that nobody waits for it, and one line says how many went.
 */
import type { Context } from '../context.ts'
import * as auditService from './audit.service.ts'
import * as auditStore from './audit.store.ts'

const DAY_MS = 24 * 3_600_000
const LINES_AT_ONCE = 500
/** Between two batches others have their turn: SQLite works in our own thread. */
const BREATH_MS = 50

/** Begins at once and then daily, until it is disposed. */
export function openRetention(ctx: Context): AsyncDisposable {
  const end = new AbortController()
  let working = Promise.resolve()
  const prune = () => {
    working = pruneRecord(ctx, end.signal).then(noResult, (error: unknown) =>
      ctx.log.error({ err: error }, 'Old lines of the record of activity could not be removed.'),
    )
  }
  const timer = setInterval(prune, DAY_MS)
  timer.unref()
  prune()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      end.abort()
      await working
    },
  }
}

function noResult(): void {}

/** Answers how many lines went. An abort ends it after the batch that is under way. */
export async function pruneRecord(ctx: Context, signal: AbortSignal): Promise<number> {
  const { auditDays } = ctx.config
  if (auditDays === null) return 0
  const before = new Date(ctx.clock() - auditDays * DAY_MS).toISOString()
  let removed = 0
  for (;;) {
    const batch = await auditStore.removeBefore(ctx.db, before, LINES_AT_ONCE)
    removed += batch
    if (batch < LINES_AT_ONCE || signal.aborted) break
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS))
  }
  if (removed > 0) await tell(ctx, removed, before)
  return removed
}

async function tell(ctx: Context, removed: number, before: string): Promise<void> {
  const lines = removed === 1 ? 'line' : 'lines'
  await auditService.record(ctx, {
    actor: null,
    call: 'audit.prune',
    object: null,
    result: 'done',
    ip: '',
    reason: `${removed} ${lines} from before ${before} removed (TRUNKLINE_AUDIT_DAYS is ${ctx.config.auditDays})`,
  })
}
