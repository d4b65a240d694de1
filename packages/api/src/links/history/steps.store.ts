/** Tables that keep what was measured in steps of a fixed length, and lose the oldest step. */
import type { Db } from '../../db/open.ts'

/** Each has `step_s`, `at_s` and an index of both. */
type StepTable = 'link_samples' | 'transport_samples'

/** Where the newest step of this length begins; null when there is none. */
export async function newestS(db: Db, table: StepTable, stepS: number): Promise<number | null> {
  return edgeS(db, table, stepS, 'desc')
}

/** Where the oldest step of this length begins; null when there is none. */
export async function oldestS(db: Db, table: StepTable, stepS: number): Promise<number | null> {
  return edgeS(db, table, stepS, 'asc')
}

async function edgeS(
  db: Db,
  table: StepTable,
  stepS: number,
  order: 'asc' | 'desc',
): Promise<number | null> {
  const row = await db
    .selectFrom(table)
    .select('at_s')
    .where('step_s', '=', stepS)
    .orderBy('at_s', order)
    .limit(1)
    .executeTakeFirst()
  return row?.at_s ?? null
}

/** So many take SQLite 20 ms, in our own thread: the rows of a step lie far apart. */
const REMOVED_AT_ONCE = 200

/**
 * Takes away some rows of the oldest step of this length, if it began before then; answers whether it
 * did: then there may be more.
 */
export async function removeOldest(
  db: Db,
  table: StepTable,
  stepS: number,
  beforeS: number,
): Promise<boolean> {
  const atS = await oldestS(db, table, stepS)
  if (atS === null || atS >= beforeS) return false
  const some = db
    .selectFrom(table)
    .select('program_id')
    .where('step_s', '=', stepS)
    .where('at_s', '=', atS)
    .limit(REMOVED_AT_ONCE)
  await db
    .deleteFrom(table)
    .where('step_s', '=', stepS)
    .where('at_s', '=', atS)
    .where('program_id', 'in', some)
    .execute()
  return true
}
