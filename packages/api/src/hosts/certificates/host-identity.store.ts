/** Which hosts are enrolled or revoked, and the keys that each may show. */
import type { HostIdentityRow } from '../../db/rows/identity-rows.ts'
import type { Db } from '../../db/open.ts'
import type { HostAddress } from '../host-address.ts'
import type { HostIdentity, Pin } from './host-access.ts'
import type { EnrolledHost } from './host-identities.ts'

export async function find(db: Db, address: HostAddress): Promise<EnrolledHost | null> {
  const rows = await db
    .selectFrom('host_identities')
    .selectAll()
    .where('host_key', '=', address.host)
    .where('port', '=', address.port)
    .execute()
  return (await withPins(db, rows, address))[0] ?? null
}

export async function list(db: Db): Promise<EnrolledHost[]> {
  return withPins(db, await db.selectFrom('host_identities').selectAll().execute(), null)
}

/** Takes the place of what stands there; pins stay. */
export async function put(
  db: Db,
  { host, port }: HostAddress,
  { security, since, openedBy }: Pick<HostIdentity, 'security' | 'since' | 'openedBy'>,
): Promise<void> {
  const values = { security, since, opened_by: openedBy }
  await db
    .insertInto('host_identities')
    .values({ host_key: host, port, ...values })
    .onConflict((eb) => eb.columns(['host_key', 'port']).doUpdateSet(values))
    .execute()
}

/** It has used its certificate; nothing for a host that was revoked meanwhile. */
export async function confirm(db: Db, { host, port }: HostAddress, since: string): Promise<void> {
  await db
    .updateTable('host_identities')
    .set({ security: 'enrolled', since })
    .where('host_key', '=', host)
    .where('port', '=', port)
    .where('security', '=', 'waiting')
    .execute()
}

/** Where its last link came from. */
export async function setNetwork(
  db: Db,
  { host, port }: HostAddress,
  network: string,
): Promise<void> {
  await db
    .updateTable('host_identities')
    .set({ connects_from: network })
    .where('host_key', '=', host)
    .where('port', '=', port)
    .execute()
}

/** The same key again gets the dates of its newest certificate. */
export async function addPin(db: Db, { host, port }: HostAddress, pin: Pin): Promise<void> {
  const dates = { issued_at: pin.issuedAt, ends_at: pin.endsAt }
  await db
    .insertInto('host_pins')
    .values({ host_key: host, port, key_hash: pin.keyHash, ...dates })
    .onConflict((eb) => eb.columns(['host_key', 'port', 'key_hash']).doUpdateSet(dates))
    .execute()
}

/** Those issued before that moment (ISO); null: all. */
export async function removePins(
  db: Db,
  { host, port }: HostAddress,
  before: string | null,
): Promise<void> {
  const all = db.deleteFrom('host_pins').where('host_key', '=', host).where('port', '=', port)
  await (before === null ? all : all.where('issued_at', '<', before)).execute()
}

async function withPins(
  db: Db,
  rows: readonly HostIdentityRow[],
  address: HostAddress | null,
): Promise<EnrolledHost[]> {
  const every = db.selectFrom('host_pins').selectAll().orderBy('issued_at')
  const wanted =
    address === null
      ? every
      : every.where('host_key', '=', address.host).where('port', '=', address.port)
  const pins = Map.groupBy(await wanted.execute(), (pin) => `${pin.host_key}:${pin.port}`)
  return rows.map(({ host_key: host, port, security, since, ...row }) => ({
    address: { host, port },
    security,
    since,
    openedBy: row.opened_by,
    connectsFrom: row.connects_from,
    pins: (pins.get(`${host}:${port}`) ?? []).map((pin) => ({
      keyHash: pin.key_hash,
      issuedAt: pin.issued_at,
      endsAt: pin.ends_at,
    })),
  }))
}
