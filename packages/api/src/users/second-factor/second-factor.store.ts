import type { Db } from '../../db/open.ts'
import { fromRow } from '../../db/rows/column-names.ts'
import { countRows, hasDeleted } from '../../db/queries/row-counts.ts'

export interface StoredFactor {
  userId: string
  secretSealed: string
  /** ISO; null: begun, and no code of it was entered yet. */
  confirmedAt: string | null
  lastStep: number
  wrongCodes: number
}

export async function find(db: Db, userId: string): Promise<StoredFactor | null> {
  const row = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : fromRow<StoredFactor>(row)
}

/** Takes the place of one that was begun and not confirmed. Answers false while one is on. */
export async function begin(db: Db, userId: string, secretSealed: string): Promise<boolean> {
  const values = { secret_sealed: secretSealed, last_step: 0, wrong_codes: 0 }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('second_factors')
    .values({ user_id: userId, confirmed_at: null, ...values })
    .onConflict((row) =>
      row.column('user_id').doUpdateSet(values).where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Answers false when it is on already, or was begun anew since `secretSealed` was read. */
export async function confirm(db: Db, factor: StoredFactor, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ confirmed_at: at })
    .where('user_id', '=', factor.userId)
    .where('secret_sealed', '=', factor.secretSealed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Answers false for a step that is not after the last one: its code was used before. */
export async function advanceStep(db: Db, factor: StoredFactor, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step, wrong_codes: 0 })
    .where('user_id', '=', factor.userId)
    .where('secret_sealed', '=', factor.secretSealed)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countWrongCode(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('second_factors')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('user_id', '=', userId)
    .execute()
}

/** Answers false for none. Call `removeRest` after it. */
export async function remove(db: Db, userId: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('second_factors').where('user_id', '=', userId))
}

/** What goes with the last factor of an account. */
export async function removeRest(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
}

export async function insertRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Answers false when there is none, or it was used before. */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const code = db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
  if (!(await hasDeleted(code))) return false
  await db
    .updateTable('second_factors')
    .set({ wrong_codes: 0 })
    .where('user_id', '=', userId)
    .execute()
  return true
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))
}
