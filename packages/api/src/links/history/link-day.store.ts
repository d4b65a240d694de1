/** What each link counted on each day. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { LinkDay } from './day-counter.ts'

/** Adds to what is there: each process brings what its own links counted since it wrote last. */
export async function add(db: Db, days: readonly LinkDay[]): Promise<void> {
  if (days.length === 0) return
  const sum = (column: 'packets' | 'lost' | 'resent' | 'dropped') =>
    sql<number>`${sql.ref(`link_days.${column}`)} + ${sql.ref(`excluded.${column}`)}`
  await db
    .insertInto('link_days')
    .values(days.map(({ programId: program_id, ...counted }) => ({ program_id, ...counted })))
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'day']).doUpdateSet({
        packets: sum('packets'),
        lost: sum('lost'),
        resent: sum('resent'),
        dropped: sum('dropped'),
      }),
    )
    .execute()
}

/** From that day on. */
export async function list(
  db: Db,
  programId: string,
  from: string,
): Promise<Omit<LinkDay, 'programId'>[]> {
  return db
    .selectFrom('link_days')
    .select(['day', 'packets', 'lost', 'resent', 'dropped'])
    .where('program_id', '=', programId)
    .where('day', '>=', from)
    .execute()
}

/** Of days before that one; answers how many rows went. */
export async function removeBefore(db: Db, day: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('link_days')
    .where((eb) =>
      eb(
        eb.refTuple('program_id', 'day'),
        'in',
        eb
          .selectFrom('link_days')
          .select(['program_id', 'day'])
          .where('day', '<', day)
          .limit(limit)
          .$asTuple('program_id', 'day'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
