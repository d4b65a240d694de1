/** The encoders of one host and port. */
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { idList } from '../../db/id-list.ts'
import type { Db } from '../../db/open.ts'
import { scoped } from '../encoder-scope.store.ts'
import type { EncoderScope } from '../encoder-scope.ts'

export interface UsedCard {
  encoderId: string
  cardIdx: number
  /** '' for an encoder that is not in the scope. */
  title: string
}

/** Which cards of a host the encoders of it have, in order. */
export async function usedCards(
  db: Db,
  ip: string,
  port: number,
  scope: EncoderScope,
): Promise<UsedCard[]> {
  const cards = await db
    .selectFrom('encoders')
    .select(['id as encoderId', 'card_idx as cardIdx'])
    .where('ip', '=', hostKeyOf(ip))
    .where('port', '=', port)
    .where('card_idx', 'is not', null)
    .orderBy('card_idx')
    .execute()
  const seen = await scoped(db, scope)
    .select(['encoders.id as id', 'encoders.title as title'])
    .where('encoders.ip', '=', hostKeyOf(ip))
    .where('encoders.port', '=', port)
    .execute()
  const titles = new Map(seen.map(({ id, title }) => [id, title]))
  return cards.flatMap(({ encoderId, cardIdx }) =>
    cardIdx === null ? [] : [{ encoderId, cardIdx, title: titles.get(encoderId) ?? '' }],
  )
}

/** Which of these hosts have an encoder that is in the scope. */
export async function hostsWithEncoder(
  db: Db,
  hosts: readonly string[],
  scope: EncoderScope,
): Promise<string[]> {
  const rows = await scoped(db, scope)
    .select('encoders.ip as ip')
    .distinct()
    .where('encoders.ip', 'in', idList(hosts))
    .execute()
  return rows.map(({ ip }) => ip)
}

export interface Neighbour {
  id: string
  groupId: string
  apiKeySealed: string
}

/** The encoders of one host and port: they share its key (decisions.md 7). */
export async function neighbours(db: Db, ip: string, port: number): Promise<Neighbour[]> {
  return db
    .selectFrom('encoders')
    .select(['id', 'group_id as groupId', 'api_key_sealed as apiKeySealed'])
    .where('ip', '=', hostKeyOf(ip))
    .where('port', '=', port)
    .orderBy('created_at')
    .execute()
}

/** One host, one key: every encoder of this address gets it. */
export async function setKeyOfAddress(
  db: Db,
  ip: string,
  port: number,
  apiKeySealed: string,
): Promise<void> {
  await db
    .updateTable('encoders')
    .set({ api_key_sealed: apiKeySealed })
    .where('ip', '=', hostKeyOf(ip))
    .where('port', '=', port)
    .execute()
}
