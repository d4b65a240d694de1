/** Of which roles sign-in requires a second factor: a fact about the database, among its marks. */
import { ROLES, type Role } from '@trunkline/contract/roles'
import type { RequiredFactor } from '@trunkline/contract/users/required-factor.calls'
import { z } from 'zod'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import { findMark } from '../../db/marks.ts'
import type { Db } from '../../db/open.ts'

const MARK = 'second factor roles'
const Stored = z.object({ roles: z.array(z.enum(ROLES)), version: z.number() })

/** Before it was ever saved: nobody's, in version 1. */
export async function find(db: Db): Promise<RequiredFactor> {
  const text = await findMark(db, MARK)
  return text === null ? { roles: [], version: 1 } : decodeJson(Stored, text)
}

/** `version`: as it was read. Answers false when somebody else has saved since. */
export async function save(
  db: Db,
  { roles, version }: { roles: readonly Role[]; version: number },
): Promise<boolean> {
  const value = encodeJson({ roles, version: version + 1 })
  const before = await findMark(db, MARK)
  if (before === null) {
    if (version !== 1) return false
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('marks')
      .values({ name: MARK, value })
      .onConflict((row) => row.column('name').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  if (decodeJson(Stored, before).version !== version) return false
  const { numUpdatedRows } = await db
    .updateTable('marks')
    .set({ value })
    .where('name', '=', MARK)
    .where('value', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
