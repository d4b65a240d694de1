import { z } from 'zod'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import { guarded } from '../../db/guarded.ts'
import type { Db } from '../../db/open.ts'
import { fromRow } from '../../db/rows/column-names.ts'
import { hasDeleted } from '../../db/queries/row-counts.ts'
import type { PasskeyRow } from '../../db/rows/second-factor-rows.ts'
import { conflict } from '../../errors.ts'

export interface StoredPasskey {
  id: string
  userId: string
  /** As the authenticator knows it, base64url. */
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  /** Of signatures, as of the last sign-in. */
  counter: number
  transports: readonly string[]
  name: string
  /** The relying party id. */
  site: string
  /** ISO. */
  createdAt: string
  /** ISO; null before its first sign-in. */
  lastUsedAt: string | null
}

const Transports = z.array(z.string())

/** In the order in which they were added. */
export async function list(db: Db, userId: string): Promise<StoredPasskey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(passkeyOf)
}

/** Throws Conflict for a credential that an account has already. */
export async function insert(db: Db, passkey: StoredPasskey): Promise<void> {
  const unique = () => conflict('This passkey is added already, here or to another account.')
  await guarded({ unique }, async () =>
    db
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        user_id: passkey.userId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: encodeJson(passkey.transports),
        name: passkey.name,
        site: passkey.site,
        created_at: passkey.createdAt,
        last_used_at: passkey.lastUsedAt,
      })
      .execute(),
  )
}

/**
 * Notes a sign-in. Answers false when its counter is not after that of the last one, and for one that
 * was removed meanwhile. An authenticator that does not count sends 0 each time.
 */
export async function advance(
  db: Db,
  { id }: StoredPasskey,
  { counter, at }: { counter: number; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where((row) => (counter === 0 ? row('counter', '=', 0) : row('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function rename(db: Db, { id }: StoredPasskey, name: string): Promise<void> {
  await db.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
}

/** Answers how it was called; null when that account has none such. */
export async function remove(db: Db, userId: string, id: string): Promise<string | null> {
  const row = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Answers whether there were any. */
export async function removeAll(db: Db, userId: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('passkeys').where('user_id', '=', userId))
}

function passkeyOf(row: PasskeyRow): StoredPasskey {
  return fromRow<StoredPasskey>({
    ...row,
    // PostgreSQL answers a bigint as text.
    counter: Number(row.counter),
    transports: decodeJson(Transports, row.transports),
  })
}
