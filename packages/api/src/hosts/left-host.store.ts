import type { Db } from '../db/open.ts'
import type { HostAddress } from './host-address.ts'

export interface LeftHostRecord {
  address: HostAddress
  apiKeySealed: string
}

/** Those left after `since` (ISO time). */
export async function list(db: Db, since: string): Promise<LeftHostRecord[]> {
  const rows = await db
    .selectFrom('left_hosts')
    .selectAll()
    .where('left_at', '>', since)
    .orderBy('left_at')
    .execute()
  return rows.map((row) => ({
    address: { host: row.host_key, port: row.port },
    apiKeySealed: row.api_key_sealed,
  }))
}

/** A host that is left again is left anew. */
export async function put(db: Db, host: LeftHostRecord, leftAt: string): Promise<void> {
  const change = { api_key_sealed: host.apiKeySealed, left_at: leftAt }
  await db
    .insertInto('left_hosts')
    .values({ host_key: host.address.host, port: host.address.port, ...change })
    .onConflict((eb) => eb.columns(['host_key', 'port']).doUpdateSet(change))
    .execute()
}

export async function remove(db: Db, address: HostAddress): Promise<void> {
  await db
    .deleteFrom('left_hosts')
    .where('host_key', '=', address.host)
    .where('port', '=', address.port)
    .execute()
}

export async function removeUntil(db: Db, until: string): Promise<void> {
  await db.deleteFrom('left_hosts').where('left_at', '<=', until).execute()
}
