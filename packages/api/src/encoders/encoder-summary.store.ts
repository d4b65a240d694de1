/** Of a whole fleet only what its states are counted by. */
import type { EncoderSummary } from '@trunkline/contract/encoders/encoder.schema'
import { decodeFlag } from '../db/codecs.ts'
import type { Db } from '../db/open.ts'
import { scoped } from './encoder-scope.store.ts'
import type { EncoderScope } from './encoder-scope.ts'

/** In order of creation. @param groupId '' for all groups */
export async function list(
  db: Db,
  scope: EncoderScope,
  groupId: string,
): Promise<[string, EncoderSummary][]> {
  let wanted = scoped(db, scope)
  if (groupId !== '') wanted = wanted.where('encoders.group_id', '=', groupId)
  const rows = await wanted
    .select(['encoders.id as id', 'encoders.is_enabled as isEnabled'])
    .select((eb) => eb('encoders.config', 'is', null).as('isBare'))
    .orderBy('encoders.created_at')
    .orderBy('encoders.id')
    .execute()
  return rows.map(({ id, isEnabled, isBare }) => {
    if (!decodeFlag(isEnabled)) return [id, 'off']
    // A boolean to PostgreSQL, a number to SQLite.
    return [id, isBare ? 'bare' : 'on']
  })
}
