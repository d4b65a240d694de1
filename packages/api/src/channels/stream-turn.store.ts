/** Whose turn it is to command a stream: one row for each stream that somebody commands. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

export interface StreamTurn {
  serverId: string
  streamName: string
  /** Nobody else's. */
  turnId: string
  /** ISO time; from then on anybody may take the turn over: whoever had it has ended. */
  until: string
}

/** False while somebody else has the turn at `now` (ISO time). One statement: two cannot both take it. */
export async function take(db: Db, turn: StreamTurn, now: string): Promise<boolean> {
  const { serverId, streamName, turnId, until } = turn
  const taken = await db
    .insertInto('stream_turns')
    .values({
      server_id: serverId,
      stream_name: streamName,
      turn_id: turnId,
      until_at: until,
    })
    .onConflict((item) =>
      item
        .columns(['server_id', 'stream_name'])
        .doUpdateSet({ turn_id: turnId, until_at: until })
        .where(sql.ref('stream_turns.until_at'), '<=', now),
    )
    .returning('turn_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Ends this turn; a turn that somebody has taken over since stays theirs. */
export async function remove(db: Db, { serverId, streamName, turnId }: StreamTurn): Promise<void> {
  await db
    .deleteFrom('stream_turns')
    .where('server_id', '=', serverId)
    .where('stream_name', '=', streamName)
    .where('turn_id', '=', turnId)
    .execute()
}
