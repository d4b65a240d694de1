/** The rows of a move. */
import type { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { FeederOutput } from '@trunkline/contract/encoders/encoder-config.schema'
import { z } from 'zod'
import { decodeJson, encodeJson } from '../../db/codecs.ts'
import type { Db } from '../../db/open.ts'
import { updateVersioned } from '../../db/versioned-row.ts'
import type { GroupScope } from '../../security/actor.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import { calledPlace, linkSearch } from '../link.store.ts'

/** Answers false when somebody else has changed it since `version`. */
export async function move(
  db: Db,
  input: InputRecord,
  serverId: string,
  config: InputConfig,
): Promise<boolean> {
  return updateVersioned(db, 'inputs', input, {
    server_id: serverId,
    config: encodeJson(config),
    port: config.port,
    search: linkSearch(input.name, input.title, config.host),
    ...calledPlace(config),
  })
}

const Targets = z.object({ output: z.array(FeederOutput) })

/** How many feeders of these groups send to this port of a server. */
export async function countFeeders(
  db: Db,
  serverId: string,
  port: number,
  scope: GroupScope,
): Promise<number> {
  let wanted = db
    .selectFrom('feeders')
    .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
    .select('feeders.spec')
    .where('feeders.server_id', '=', serverId)
  if (scope !== 'all') wanted = wanted.where('encoders.group_id', 'in', ['', ...scope])
  const rows = await wanted.execute()
  return rows.filter(({ spec }) =>
    decodeJson(Targets, spec).output.some((target) => target.port === port),
  ).length
}
