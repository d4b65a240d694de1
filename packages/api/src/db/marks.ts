import type { Db } from './open.ts'

/**
 * Writes a fact about this database once; answers the fact that stands there, which is the given
 * one unless another was written before.
 */
export async function mark(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('marks')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('marks')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
