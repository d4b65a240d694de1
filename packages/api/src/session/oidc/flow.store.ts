import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/queries/row-counts.ts'

/** A sign-in that is under way at the provider. */
export interface StoredFlow {
  /** SHA-256 of the state that the provider gives back. */
  id: string
  /** SHA-256 of what the browser that began it keeps. */
  binding: string
  nonce: string
  /** Of PKCE, sealed. */
  verifierSealed: string
  /** The network that began it. */
  network: string
  /** ISO. */
  expiresAt: string
}

/** `now`: ISO. */
export async function removeExpired(db: Db, now: string): Promise<void> {
  await db.deleteFrom('oidc_flows').where('expires_at', '<', now).execute()
}

export async function insert(db: Db, flow: StoredFlow): Promise<void> {
  await db
    .insertInto('oidc_flows')
    .values({
      id: flow.id,
      binding: flow.binding,
      nonce: flow.nonce,
      verifier_sealed: flow.verifierSealed,
      network: flow.network,
      expires_at: flow.expiresAt,
    })
    .execute()
}

export async function countOf(db: Db, network: string): Promise<number> {
  return countRows(db.selectFrom('oidc_flows').where('network', '=', network))
}

/** It is gone afterwards: of several that come back with one state, one gets it. */
export async function take(db: Db, id: string, now: string): Promise<StoredFlow | null> {
  const row = await db
    .deleteFrom('oidc_flows')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    binding: row.binding,
    nonce: row.nonce,
    verifierSealed: row.verifier_sealed,
    network: row.network,
    expiresAt: row.expires_at,
  }
}
