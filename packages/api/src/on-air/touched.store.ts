/** What stands on a server, as far as signal paths go through it. */
import type { Db } from '../db/open.ts'
import type { PathKey } from '../paths/path-source.ts'

/** Its inputs, behind which are their outputs, and its channels. */
export async function onServer(db: Db, serverId: string): Promise<PathKey[]> {
  const inputs = await db
    .selectFrom('inputs')
    .select('id')
    .where('server_id', '=', serverId)
    .execute()
  const channels = await db
    .selectFrom('channels')
    .select('id')
    .where('server_id', '=', serverId)
    .execute()
  return [
    ...inputs.map(({ id }) => ({ kind: 'input' as const, id })),
    ...channels.map(({ id }) => ({ kind: 'channel' as const, id })),
  ]
}
