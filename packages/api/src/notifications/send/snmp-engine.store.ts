/** The SNMP engine of this site: receivers of version 3 traps know their users by it (RFC 3411, 5). */
import { randomBytes } from 'node:crypto'
import { mark } from '../../db/marks.ts'
import type { Db } from '../../db/open.ts'

/** Net-SNMP's enterprise (8072) with the highest bit set, then format 5: bytes of our own. */
const ENGINE_PREFIX = '80001f8805'
const ENGINE_BYTES = 8

/** Drawn once and kept in the database, so that all API processes are one engine. Hexadecimal. */
export async function snmpEngineIdOf(db: Db): Promise<string> {
  const drawn = `${ENGINE_PREFIX}${randomBytes(ENGINE_BYTES).toString('hex')}`
  return mark(db, 'snmp engine', drawn)
}
