import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { fromRow, toRow } from '../../db/rows/column-names.ts'
import type { LinkSampleRow } from '../../db/rows/sample-rows.ts'
import { LONG_STEP_S, SHORT_STEP_S, type LinkSample } from './history.rules.ts'

/** One statement for each so many, as both databases limit how many values one may have. */
const ROWS_AT_ONCE = 100

/**
 * Of a step that is there already the one with more readings counts, so that two processes that
 * heard the same double nothing; the lowest and the highest are kept of both.
 */
export async function put(db: Db, samples: readonly LinkSample[]): Promise<void> {
  const inOrder = samples.toSorted(byKey)
  for (let from = 0; from < inOrder.length; from += ROWS_AT_ONCE) {
    await putSome(db, inOrder.slice(from, from + ROWS_AT_ONCE))
  }
}

/** Two processes write the same rows at the same moment: in one order neither waits for the other for ever. */
function byKey(a: LinkSample, b: LinkSample): number {
  return a.programId === b.programId ? a.atS - b.atS : a.programId < b.programId ? -1 : 1
}

async function putSome(db: Db, samples: readonly LinkSample[]): Promise<void> {
  await db
    .insertInto('link_samples')
    .values(samples.map(toRow))
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'step_s', 'at_s']).doUpdateSet({
        readings: fuller('readings'),
        bitrate_sum_kbps: fuller('bitrate_sum_kbps'),
        bitrate_min_kbps: outermost('bitrate_min_kbps', '<'),
        bitrate_max_kbps: outermost('bitrate_max_kbps', '>'),
        rtt_max_ms: outermost('rtt_max_ms', '>'),
        packets: fuller('packets'),
        lost: fuller('lost'),
        resent: fuller('resent'),
        dropped: fuller('dropped'),
      }),
    )
    .execute()
}

type Column = keyof LinkSampleRow

/** Of the row that has more readings. */
function fuller(column: Column) {
  const [offered, stored] = [sql.ref(`excluded.${column}`), sql.ref(`link_samples.${column}`)]
  return sql<number>`case when excluded.readings > link_samples.readings then ${offered} else ${stored} end`
}

/** Of both rows; null stands for none. */
function outermost(column: Column, than: '<' | '>') {
  const [offered, stored] = [sql.ref(`excluded.${column}`), sql.ref(`link_samples.${column}`)]
  return sql<number>`case when ${stored} is null or ${offered} ${sql.raw(than)} ${stored} then ${offered} else ${stored} end`
}

const MINUTE = sql<number>`at_s - at_s % ${sql.lit(LONG_STEP_S)}`

/** Which programs have short steps from then on. */
export async function programsSince(db: Db, fromS: number): Promise<string[]> {
  const rows = await db
    .selectFrom('link_samples')
    .select('program_id')
    .distinct()
    .where('step_s', '=', SHORT_STEP_S)
    .where('at_s', '>=', fromS)
    .execute()
  return rows.map((row) => row.program_id)
}

/**
 * Makes the minutes of these programs from `fromS` up to `toS` of their short steps, anew where they are
 * made already.
 */
export async function rollUp(
  db: Db,
  programIds: readonly string[],
  fromS: number,
  toS: number,
): Promise<void> {
  await sql`
    insert into link_samples (program_id, step_s, at_s, readings, bitrate_sum_kbps,
      bitrate_min_kbps, bitrate_max_kbps, rtt_max_ms, packets, lost, resent, dropped)
    select program_id, ${sql.lit(LONG_STEP_S)}, ${MINUTE}, sum(readings), sum(bitrate_sum_kbps),
      min(bitrate_min_kbps), max(bitrate_max_kbps), max(rtt_max_ms), sum(packets), sum(lost),
      sum(resent), sum(dropped)
    from link_samples
    where program_id in (${sql.join(programIds)})
      and step_s = ${SHORT_STEP_S} and at_s >= ${fromS} and at_s < ${toS}
    group by program_id, ${MINUTE}
    order by program_id, ${MINUTE}
    on conflict (program_id, step_s, at_s) do update set
      readings = excluded.readings, bitrate_sum_kbps = excluded.bitrate_sum_kbps,
      bitrate_min_kbps = excluded.bitrate_min_kbps, bitrate_max_kbps = excluded.bitrate_max_kbps,
      rtt_max_ms = excluded.rtt_max_ms, packets = excluded.packets, lost = excluded.lost,
      resent = excluded.resent, dropped = excluded.dropped`.execute(db)
}

/** In order of time, by program; steps that began at `fromS` or later. */
export async function list(
  db: Db,
  programIds: readonly string[],
  { stepS, fromS }: { stepS: number; fromS: number },
): Promise<ReadonlyMap<string, readonly LinkSample[]>> {
  if (programIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('link_samples')
    .selectAll()
    .where('program_id', 'in', programIds)
    .where('step_s', '=', stepS)
    .where('at_s', '>=', fromS)
    .orderBy('program_id')
    .orderBy('at_s')
    .execute()
  return Map.groupBy(rows.map(fromRow<LinkSample>), (sample) => sample.programId)
}
