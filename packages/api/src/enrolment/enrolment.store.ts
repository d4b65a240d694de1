/** Codes by which hosts are enrolled, and the records that they are for. */
import type { HostKind } from '@trunkline/contract/fleet/fleet.schema'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { EnrolmentCodeRow } from '../db/rows/identity-rows.ts'
import type { Db } from '../db/open.ts'

/** Where a seat listens: host in small letters. */
export interface SeatAddress {
  host: string
  port: number
}

export interface EnrolledRecord {
  kind: HostKind
  id: string
  title: string
  address: SeatAddress
  /** What listens there. */
  seat: 'encoder' | 'acants' | 'channel'
}

export interface EnrolmentCode {
  id: string
  kind: HostKind
  objectId: string
  address: SeatAddress
  proofKeySealed: string
  /** Id of a user. */
  madeBy: string
  /** ISO. */
  endsAt: string
  /** ISO; null while it was not used. */
  usedAt: string | null
}

export async function findRecord(
  db: Db,
  kind: HostKind,
  id: string,
): Promise<EnrolledRecord | null> {
  return kind === 'server' ? findServer(db, id) : findEncoder(db, id)
}

async function findServer(db: Db, id: string): Promise<EnrolledRecord | null> {
  const row = await db
    .selectFrom('servers')
    .select(['title', 'host_key', 'port', 'server_type'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const address = { host: row.host_key, port: row.port }
  return { kind: 'server', id, title: row.title, address, seat: row.server_type }
}

async function findEncoder(db: Db, id: string): Promise<EnrolledRecord | null> {
  const row = await db
    .selectFrom('encoders')
    .select(['title', 'ip', 'port'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const address = { host: hostKeyOf(row.ip), port: row.port }
  return { kind: 'encoder', id, title: row.title, address, seat: 'encoder' }
}

/** In the place of every code of this address that was not used. */
export async function replace(db: Db, code: EnrolmentCode): Promise<void> {
  await removeUnused(db, code.address)
  await db
    .insertInto('enrolment_codes')
    .values({
      id: code.id,
      kind: code.kind,
      object_id: code.objectId,
      host_key: code.address.host,
      port: code.address.port,
      proof_key_sealed: code.proofKeySealed,
      made_by: code.madeBy,
      ends_at: code.endsAt,
      used_at: code.usedAt,
    })
    .execute()
}

export async function find(db: Db, id: string): Promise<EnrolmentCode | null> {
  const row = await db
    .selectFrom('enrolment_codes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toCode(row)
}

/** The end of the code of this host that is still good, ISO; null when there is none. */
export async function openUntil(
  db: Db,
  { host, port }: SeatAddress,
  now: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('enrolment_codes')
    .select('ends_at')
    .where('host_key', '=', host)
    .where('port', '=', port)
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  return row?.ends_at ?? null
}

/** False when somebody else has just used it. */
export async function use(db: Db, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('enrolment_codes')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removeUnused(db: Db, { host, port }: SeatAddress): Promise<void> {
  await db
    .deleteFrom('enrolment_codes')
    .where('host_key', '=', host)
    .where('port', '=', port)
    .where('used_at', 'is', null)
    .execute()
}

/** Those that ended before then (ISO): nobody needs to know any longer why they are refused. */
export async function removeEnded(db: Db, before: string): Promise<void> {
  await db.deleteFrom('enrolment_codes').where('ends_at', '<', before).execute()
}

function toCode(row: EnrolmentCodeRow): EnrolmentCode {
  return {
    id: row.id,
    kind: row.kind,
    objectId: row.object_id,
    address: { host: row.host_key, port: row.port },
    proofKeySealed: row.proof_key_sealed,
    madeBy: row.made_by,
    endsAt: row.ends_at,
    usedAt: row.used_at,
  }
}
