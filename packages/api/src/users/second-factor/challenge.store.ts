import type { Db } from '../../db/open.ts'
import { hasDeleted } from '../../db/queries/row-counts.ts'
import type { ChallengePurpose } from '../../db/rows/second-factor-rows.ts'

export type { ChallengePurpose } from '../../db/rows/second-factor-rows.ts'

/** A right password, until the step that follows it. */
export interface StoredChallenge {
  /** SHA-256 of what the client has. */
  id: string
  userId: string
  tokenVersion: number
  purpose: ChallengePurpose
  /** ISO. */
  expiresAt: string
}

/** What has expired before `now`, ISO, goes. */
export async function insert(db: Db, challenge: StoredChallenge, now: string): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('expires_at', '<', now).execute()
  await db
    .insertInto('sign_in_challenges')
    .values({
      id: challenge.id,
      user_id: challenge.userId,
      token_version: challenge.tokenVersion,
      expires_at: challenge.expiresAt,
      tries: 0,
      purpose: challenge.purpose,
    })
    .execute()
}

/** Counts a try. Null for one that is unknown, has expired, or was tried `most` times. */
export async function take(
  db: Db,
  id: string,
  { now, most, purpose }: { now: string; most: number; purpose: ChallengePurpose },
): Promise<StoredChallenge | null> {
  const row = await db
    .updateTable('sign_in_challenges')
    .set((each) => ({ tries: each('tries', '+', 1) }))
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('tries', '<', most)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  const { user_id: userId, token_version: tokenVersion, expires_at: expiresAt } = row
  return { id: row.id, userId, tokenVersion, purpose, expiresAt }
}

/** Whose it is, without a try being counted. */
export async function ownerOf(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('sign_in_challenges')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Answers false when somebody else was faster. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('sign_in_challenges').where('id', '=', id))
}
