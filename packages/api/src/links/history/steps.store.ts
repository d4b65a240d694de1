/** Tables that keep what was measured in steps of a fixed length, and lose the oldest step. */
import type { Db } from '../../db/open.ts'

/** Each has `step_s`, `at_s` and an index of both. */
type StepTable = 'link_samples' | 'transport_samples'

/** Where the newest step of this length begins; null when there is none. */
export async function newestS(db: Db, table: StepTable, stepS: number): Promise<number | null> {
  return edgeS(db, table, stepS, 'desc')
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

/** Takes away the oldest step of this length, if it began before then; answers whether it did. */
export async function removeOldest(
  db: Db,
  table: StepTable,
  stepS: number,
  beforeS: number,
): Promise<boolean> {
  const oldestS = await edgeS(db, table, stepS, 'asc')
  if (oldestS === null || oldestS >= beforeS) return false
  await db.deleteFrom(table).where('step_s', '=', stepS).where('at_s', '=', oldestS).execute()
  return true
}
