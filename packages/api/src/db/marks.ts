import type { Db } from './open.ts'

/**
 * Writes a fact about this database once; answers the fact that stands there, which is the given
 * one unless another was written before.
 */
export async function mark(db: Db, name: string, value: string): Promise<string> {
  // Read first: on a full disk the API still starts.
  const known = await findMark(db, name)
  if (known !== null) return known
  await db
    .insertInto('marks')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findMark(db, name)) ?? value
}

/** Null before it is written. */
export async function findMark(db: Db, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('marks')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value ?? null
}
