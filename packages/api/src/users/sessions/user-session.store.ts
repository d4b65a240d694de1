import { guarded } from '../../db/guarded.ts'
import type { Db } from '../../db/open.ts'
import { fromRow } from '../../db/rows/column-names.ts'
import { hasDeleted } from '../../db/queries/row-counts.ts'
import { notFound } from '../../errors.ts'

/** One sign-in of a person, until it is ended. */
export interface UserSession {
  id: string
  userId: string
  /** Of the account, when the session began: once the account's is another, it has ended. */
  tokenVersion: number
  /** ISO, like the next one. */
  signedInAt: string
  usedAt: string
  address: string
  userAgent: string
  /** Of the sign-in provider, for the sign-out there; null: it began with a password. */
  idTokenSealed: string | null
  /** ISO: when the person proved to that provider who they are; null: it does not say, or there is none. */
  authenticatedAt: string | null
}

export async function find(db: Db, id: string): Promise<UserSession | null> {
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : fromRow<UserSession>(row)
}

/** Those of this version of the account that have not ended by themselves; the last used first. */
export async function list(
  db: Db,
  user: { id: string; tokenVersion: number },
  { signedInSince, usedSince }: { signedInSince: string; usedSince: string },
): Promise<UserSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('token_version', '=', user.tokenVersion)
    .where('signed_in_at', '>=', signedInSince)
    .where('used_at', '>=', usedSince)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(fromRow<UserSession>)
}

/** Where and when it was used last; a later time that another process has written stays. */
export async function touch(db: Db, id: string, usedAt: string, address: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ used_at: usedAt, address })
    .where('id', '=', id)
    .where('used_at', '<', usedAt)
    .execute()
}

/** Throws NotFound when there is no such person; a transaction on PostgreSQL is over then. */
export async function insert(db: Db, session: UserSession): Promise<void> {
  const values = {
    id: session.id,
    user_id: session.userId,
    token_version: session.tokenVersion,
    signed_in_at: session.signedInAt,
    used_at: session.usedAt,
    address: session.address,
    user_agent: session.userAgent,
    id_token_sealed: session.idTokenSealed,
    authenticated_at: session.authenticatedAt,
  }
  await guarded({ foreignKey: () => notFound('user') }, async () =>
    db.insertInto('sessions').values(values).execute(),
  )
}

/** Answers false when that person has no such session. */
export async function end(db: Db, userId: string, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id))
}

/**
 * The session goes on under the account's new version, while all others of it have ended. Answers
 * false when there is none.
 */
export async function keep(db: Db, id: string, tokenVersion: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_version: tokenVersion })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Removes what has ended by itself or by a new `tokenVersion`, and of the rest all but `most`: the one
 * of `keptId`, those that were used after their sign-in, the last used first, then the newest. Answers
 * whether sessions were removed that had not ended.
 */
export async function removeBeyond(
  db: Db,
  user: { id: string; tokenVersion: number },
  { signedInBefore, most, keptId }: { signedInBefore: string; most: number; keptId: string },
): Promise<boolean> {
  const own = db.deleteFrom('sessions').where('user_id', '=', user.id)
  await own
    .where((row) =>
      row.or([
        row('signed_in_at', '<', signedInBefore),
        row('token_version', '<', user.tokenVersion),
      ]),
    )
    .execute()
  const others = db.selectFrom('sessions').where('user_id', '=', user.id).where('id', '!=', keptId)
  const kept = others
    .select('id')
    .orderBy((row) =>
      row.case().when('used_at', '>', row.ref('signed_in_at')).then(0).else(1).end(),
    )
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .limit(most - 1)
  const beyond = own.where('id', '!=', keptId).where('id', 'not in', kept)
  return (await beyond.returning('id').execute()).length > 0
}
