import type { Db } from '../../db/open.ts'
import type { RecordSealRow } from '../../db/rows/record-seal-row.ts'
import type { RecordSeal } from './record-seal.rules.ts'

/** The newest; null before the first. */
export async function last(db: Db): Promise<RecordSeal | null> {
  const row = await db
    .selectFrom('record_seals')
    .selectAll()
    .orderBy('from_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : sealOf(row)
}

/** The oldest behind that moment, at most `most`, oldest first; '' stands for the beginning. */
export async function listFrom(db: Db, behind: string, most: number): Promise<RecordSeal[]> {
  const rows = await db
    .selectFrom('record_seals')
    .selectAll()
    .where('from_at', '>', behind)
    .orderBy('from_at')
    .limit(most)
    .execute()
  return rows.map(sealOf)
}

/** False when another process has sealed from that moment on. */
export async function insert(db: Db, seal: RecordSeal): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('record_seals')
    .values({
      from_at: seal.from,
      to_at: seal.to,
      lines: seal.lines,
      previous: seal.previous,
      digest: seal.digest,
    })
    .onConflict((on) => on.column('from_at').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Those of which a line is from before that moment, as such lines are removed. */
export async function removeBefore(db: Db, before: string): Promise<void> {
  await db.deleteFrom('record_seals').where('from_at', '<', before).execute()
}

function sealOf({ from_at, to_at, lines, previous, digest }: RecordSealRow): RecordSeal {
  return { from: from_at, to: to_at, lines, previous, digest }
}
