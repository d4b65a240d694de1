/**
 * Seals the record of activity, hour by hour, and looks whether it still is what was sealed. Any of
 * several API processes seals a stretch; the first to write it has done so.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@trunkline/contract/durations'
import type { Context } from '../../context.ts'
import { giveWay } from '../../in-slices.ts'
import * as auditStore from '../audit.store.ts'
import {
  digestOf,
  faultOf,
  StretchHash,
  type RecordSeal,
  type StretchContent,
} from './record-seal.rules.ts'
import * as sealStore from './record-seal.store.ts'

/** A line is written with its change: no change takes so long, and no two clocks are so far apart. */
const SETTLED_MS = 10 * MINUTE_MS
/** A record from before there were seals may be years long: it is sealed day by day. */
const LONGEST_MS = DAY_MS
const LINES_AT_ONCE = 500
const SEALS_AT_ONCE = 200

/** Begins at once, and looks again for an hour that is over and settled, until it is disposed. */
export function openRecordSeals(ctx: Context): AsyncDisposable {
  const end = new AbortController()
  let working = Promise.resolve()
  const seal = () => {
    working = sealRecord(ctx, end.signal).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'The record of activity could not be sealed.')
    })
  }
  const timer = setInterval(seal, SETTLED_MS)
  timer.unref()
  seal()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      end.abort()
      await working
    },
  }
}

/** Seals all hours that are settled. An abort ends it after the current stretch. */
export async function sealRecord(ctx: Context, signal?: AbortSignal): Promise<void> {
  const settledMs = ctx.clock() - SETTLED_MS
  const settled = new Date(settledMs - (settledMs % HOUR_MS)).toISOString()
  let last = await sealStore.last(ctx.db)
  let from = last?.to ?? (await auditStore.oldestAt(ctx.db))
  while (from !== null && from < settled && signal?.aborted !== true) {
    const longest = new Date(Date.parse(from) + LONGEST_MS).toISOString()
    const stretch = { from, to: longest < settled ? longest : settled }
    const content = await contentOf(ctx, stretch)
    const unsigned = { ...stretch, lines: content.lines, previous: last?.digest ?? '' }
    const seal = { ...unsigned, digest: digestOf(ctx.keys.recordSealKey, unsigned, content) }
    if (!(await sealStore.insert(ctx.db, seal))) return
    // Kept apart from the database, it shows when the newest seals were removed with their lines.
    ctx.log.info({ sealedTo: seal.to, digest: seal.digest }, 'The record of activity was sealed.')
    last = seal
    from = seal.to
  }
}

export interface RecordCheck {
  seals: number
  lines: number
  /** Of what is sealed; null when nothing is. */
  from: string | null
  to: string | null
  /** The newest seal's; the log has it too. */
  digest: string
  /** Sentences. */
  faults: string[]
}

/** Reads all that is sealed. */
export async function checkRecord(ctx: Context): Promise<RecordCheck> {
  const check: RecordCheck = { seals: 0, lines: 0, from: null, to: null, digest: '', faults: [] }
  let before: RecordSeal | null = null
  for (;;) {
    const seals: RecordSeal[] = await sealStore.listFrom(ctx.db, before?.from ?? '', SEALS_AT_ONCE)
    if (seals.length === 0) break
    for (const seal of seals) {
      const content = await contentOf(ctx, seal)
      const fault = faultOf(ctx.keys.recordSealKey, seal, before, content)
      if (fault !== null) check.faults.push(fault)
      check.lines += content.lines
      if (before === null) await checkBeginning(ctx, seal, check)
      before = seal
    }
    check.seals += seals.length
  }
  return { ...check, to: before?.to ?? null, digest: before?.digest ?? '' }
}

/** Older lines, with their seals, are removed after TRUNKLINE_AUDIT_DAYS, and not before. */
async function checkBeginning(ctx: Context, first: RecordSeal, check: RecordCheck): Promise<void> {
  check.from = first.from
  const { auditDays } = ctx.config
  const isFirstOfAll = first.previous === ''
  if (isFirstOfAll) {
    const oldest = await auditStore.oldestAt(ctx.db)
    if (oldest !== null && oldest < first.from) {
      check.faults.push(`There are lines from before ${first.from}, when the record began.`)
    }
    return
  }
  const keptFromMs = auditDays === null ? -Infinity : ctx.clock() - auditDays * DAY_MS
  // Removed once a day, with a stretch that began before.
  if (Date.parse(first.from) > keptFromMs + 2 * DAY_MS) {
    const days = auditDays === null ? 'for good' : `for ${auditDays} days`
    check.faults.push(
      `What was before ${first.from} is gone, and lines are kept ${days} (TRUNKLINE_AUDIT_DAYS). Either that was fewer days for a while, or they were removed by hand.`,
    )
  }
}

async function contentOf(
  ctx: Context,
  stretch: { from: string; to: string },
): Promise<StretchContent> {
  const hash = new StretchHash()
  let after: auditStore.Place | null = null
  for (;;) {
    const lines = await auditStore.linesOf(ctx.db, stretch, after, LINES_AT_ONCE)
    for (const line of lines) hash.add(line)
    const last = lines.at(-1)
    if (last === undefined || lines.length < LINES_AT_ONCE) return hash.content()
    after = { at: last.at, id: last.id }
    await giveWay()
  }
}
