/** Multicast groups of the local bus, one per input, unique in the installation (Q159). */
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { decodeJson } from '../../db/codecs.ts'
import { uniqueViolation } from '../../db/faults.ts'
import type { Db } from '../../db/open.ts'

/** Also those that Local inputs read: what is sent there is not for their readers. */
export async function taken(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('bus_groups').select('ip').execute()
  return new Set([...rows.map((row) => row.ip), ...(await localGroups(db, ''))])
}

/** A Local input other than this one reads this group. */
export async function isReadLocally(db: Db, ip: string, exceptInputId: string): Promise<boolean> {
  return (await localGroups(db, exceptInputId)).includes(ip)
}

async function localGroups(db: Db, exceptInputId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inputs')
    .select('config')
    .where('input_type', '=', 'Local')
    .where('id', '!=', exceptInputId)
    .execute()
  return rows.map((row) => decodeJson(InputConfig, row.config).multicast)
}

/** The input that has this group; null when it is free. */
export async function ownerOf(db: Db, ip: string): Promise<string | null> {
  const row = await db
    .selectFrom('bus_groups')
    .select('input_id')
    .where('ip', '=', ip)
    .executeTakeFirst()
  return row?.input_id ?? null
}

/** False when another input has it. On PostgreSQL that ends the transaction. */
export async function take(db: Db, ip: string, inputId: string): Promise<boolean> {
  try {
    await db.insertInto('bus_groups').values({ ip, input_id: inputId }).execute()
    return true
  } catch (error) {
    if (uniqueViolation(error)) return false
    throw error
  }
}

/** The input has no group but this one afterwards, if it has that; '' for none at all. */
export async function releaseOthers(db: Db, inputId: string, kept: string): Promise<void> {
  await db
    .deleteFrom('bus_groups')
    .where('input_id', '=', inputId)
    .where('ip', '!=', kept)
    .execute()
}
