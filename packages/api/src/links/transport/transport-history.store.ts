import { ErrorSpan } from '@trunkline/contract/fleet/transport-history.schema'
import { sql } from 'kysely'
import { z } from 'zod'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import type { Db } from '../../db/open.ts'
import { fromRow, toRow } from '../../db/rows/column-names.ts'
import type { TransportSampleRow } from '../../db/rows/sample-rows.ts'
import { joinedErrors, MOST_OF_STEP, type TransportSample } from './transport-history.rules.ts'

/** One statement for each so many, as both databases limit how many values one may have. */
const ROWS_AT_ONCE = 100
const ErrorSpans = z.array(ErrorSpan)

/** Up to which number the minutes of this run are stored; 0: none is. */
export async function storedUpTo(db: Db, run: string): Promise<number> {
  const row = await db
    .selectFrom('transport_cursors')
    .select('up_to')
    .where('run', '=', run)
    .executeTakeFirst()
  return row?.up_to ?? 0
}

interface Advance {
  run: string
  from: number
  to: number
  nowS: number
}

/** Answers whether the minutes between are to be stored now: another process may have stored them. */
export async function advance(trx: Db, { run, from, to, nowS }: Advance): Promise<boolean> {
  if (from === 0) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('transport_cursors')
      .values({ run, up_to: to, seen_s: nowS })
      .onConflict((conflict) => conflict.column('run').doNothing())
      .executeTakeFirstOrThrow()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await trx
    .updateTable('transport_cursors')
    .set({ up_to: to, seen_s: nowS })
    .where('run', '=', run)
    .where('up_to', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Of agents that were started again since. */
export async function removeOldCursors(db: Db, beforeS: number): Promise<void> {
  await db.deleteFrom('transport_cursors').where('seen_s', '<', beforeS).execute()
}

/** Adds them to what is stored of the same steps. Of each step one, in the order of their keys. */
export async function add(trx: Db, samples: readonly TransportSample[]): Promise<void> {
  for (let from = 0; from < samples.length; from += ROWS_AT_ONCE) {
    await addSome(trx, samples.slice(from, from + ROWS_AT_ONCE))
  }
  for (const sample of samples) {
    if (sample.errors.length > 0) await addErrors(trx, sample)
  }
}

async function addSome(trx: Db, samples: readonly TransportSample[]): Promise<void> {
  await trx
    .insertInto('transport_samples')
    // Without errors: they are joined with those that are stored.
    .values(samples.map((sample) => toRow({ ...sample, errors: null })))
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'step_s', 'at_s']).doUpdateSet({
        looked_ms: sum('looked_ms'),
        followed_ms: sum('followed_ms'),
        continuity_errors: sum('continuity_errors'),
        sync_losses: sum('sync_losses'),
        transport_errors: sum('transport_errors'),
        crc_errors: sum('crc_errors'),
        scrambled_packets: sum('scrambled_packets'),
        pat_gap_ms: highest('pat_gap_ms'),
        pmt_gap_ms: highest('pmt_gap_ms'),
        pcr_interval_ms: highest('pcr_interval_ms'),
        pcr_jitter_ms: highest('pcr_jitter_ms'),
      }),
    )
    .execute()
}

/** The row was written before in this transaction, so that no other process changes it meanwhile. */
async function addErrors(trx: Db, sample: TransportSample): Promise<void> {
  const { programId, stepS, atS, errors } = sample
  const stored = await trx
    .selectFrom('transport_samples')
    .select('errors')
    .where('program_id', '=', programId)
    .where('step_s', '=', stepS)
    .where('at_s', '=', atS)
    .executeTakeFirst()
  const all = joinedErrors([...errorsOf(stored?.errors ?? null), ...errors], stepS)
  await trx
    .updateTable('transport_samples')
    .set({ errors: encodeJson(all) })
    .where('program_id', '=', programId)
    .where('step_s', '=', stepS)
    .where('at_s', '=', atS)
    .execute()
}

type Column = keyof TransportSampleRow

function both(column: Column) {
  return [sql.ref(`transport_samples.${column}`), sql.ref(`excluded.${column}`)] as const
}

/** Stays within 32 bits, whatever a host counts. */
function sum(column: Column) {
  const [stored, added] = both(column)
  return sql<number>`case when ${stored} > ${sql.lit(MOST_OF_STEP)} then ${stored} else ${stored} + ${added} end`
}

/** Null stands for none. */
function highest(column: Column) {
  const [stored, added] = both(column)
  return sql<number>`case when ${stored} is null or ${added} > ${stored} then ${added} else ${stored} end`
}

/** In order of time; steps that began at `fromS` or later. */
export async function list(
  db: Db,
  programId: string,
  { stepS, fromS }: { stepS: number; fromS: number },
): Promise<readonly TransportSample[]> {
  const rows = await db
    .selectFrom('transport_samples')
    .selectAll()
    .where('program_id', '=', programId)
    .where('step_s', '=', stepS)
    .where('at_s', '>=', fromS)
    .orderBy('at_s')
    .execute()
  return rows.map((row) => fromRow<TransportSample>({ ...row, errors: errorsOf(row.errors) }))
}

function errorsOf(text: string | null): ErrorSpan[] {
  return text === null ? [] : decodeJson(ErrorSpans, text)
}
