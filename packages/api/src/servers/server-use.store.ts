/** What lives on a server: counted for refusals. The foreign keys are the truth; this is their words. */
import type { Db } from '../db/open.ts'
import { countRows } from '../db/queries/row-counts.ts'
import type { UseCounts } from './server-use.rules.ts'

/** `groupIds`: of these groups only, a feeder's being its encoder's; 'all' for everybody's. */
export async function count(
  db: Db,
  serverId: string,
  groupIds: 'all' | readonly string[],
): Promise<UseCounts> {
  let inputs = db.selectFrom('inputs').where('server_id', '=', serverId)
  let feeders = db
    .selectFrom('feeders')
    .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
    .where('feeders.server_id', '=', serverId)
  let channels = db.selectFrom('channels').where('server_id', '=', serverId)
  if (groupIds !== 'all') {
    inputs = inputs.where('group_id', 'in', groupIds)
    feeders = feeders.where('encoders.group_id', 'in', groupIds)
    channels = channels.where((eb) =>
      eb.exists(
        eb
          .selectFrom('channel_groups')
          .select('channel_id')
          .whereRef('channel_groups.channel_id', '=', 'channels.id')
          .where('group_id', 'in', groupIds),
      ),
    )
  }
  return {
    input: await countRows(inputs),
    feeder: await countRows(feeders),
    channel: await countRows(channels),
  }
}
