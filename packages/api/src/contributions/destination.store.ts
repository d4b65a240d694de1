import type { Db } from '../db/open.ts'
import type { GroupScope } from '../security/actor.ts'

export interface DestinationKey {
  id: string
  passphraseSealed: string | null
}

/** null when there is none, or none in this scope. */
export async function find(db: Db, id: string, scope: GroupScope): Promise<DestinationKey | null> {
  let wanted = db
    .selectFrom('destinations')
    .select(['id', 'passphrase_sealed as passphraseSealed'])
    .where('id', '=', id)
  if (scope !== 'all') wanted = wanted.where('group_id', 'in', scope.length > 0 ? scope : [''])
  return (await wanted.executeTakeFirst()) ?? null
}
