/**
 * Which feeders and outputs call which media server, and which outputs listen for one: what a channel
 * takes its picture from. Joined in the order that hop-edges.store.ts speaks of.
 */
import type { StreamAddress } from '@trunkline/contract/channels/stream-address.rules'
import type { Db } from '../db/open.ts'
import { isReached } from './hop-edges.rules.ts'
import { OUTER_LEG, ofEach, protocolOf } from './hop-edges.store.ts'
import type { PathKey } from './path-source.ts'

/** A feeder or output that calls a media server, and where. */
export interface SenderAt {
  sender: PathKey
  serverId: string
  protocol: StreamAddress['protocol']
  port: number
}

interface Sending {
  senderId: string
  serverId: string
  port: number
  callerHost: string
  listenerHost: string
  address: string
}

/** Which media servers these feeders call, or which feeders call these media servers. */
export async function feedersToStreams(db: Db, by: SendersBy): Promise<SenderAt[]> {
  const joined =
    by.of === 'senders'
      ? db
          .selectFrom('feeders')
          .crossJoin('encoders')
          .crossJoin('server_addresses')
          .crossJoin('servers')
      : db
          .selectFrom('server_addresses')
          .crossJoin('servers')
          .crossJoin('feeders')
          .crossJoin('encoders')
  const all = joined
    .whereRef('encoders.id', '=', 'feeders.encoder_id')
    .whereRef('server_addresses.address', '=', 'feeders.calls_address')
    .whereRef('servers.id', '=', 'server_addresses.server_id')
    .select(['feeders.id as senderId', 'servers.id as serverId', 'feeders.calls_port as port'])
    .select(['encoders.ip as callerHost', 'servers.host_key as listenerHost'])
    .select('feeders.calls_address as address')
    .where('servers.server_type', '=', 'channel')
  const rows = await ofEach(by.ids, async (some): Promise<Sending[]> =>
    by.of === 'senders'
      ? all.where('feeders.id', 'in', some).execute()
      : all
          .where('server_addresses.server_id', 'in', some)
          .where('feeders.calls_port', 'in', by.ports)
          .execute(),
  )
  return rows.filter(isReached).map(({ senderId, serverId, port }) => {
    return { sender: { kind: 'feeder', id: senderId }, serverId, protocol: 'srt', port }
  })
}

export async function outputsToStreams(db: Db, by: SendersBy): Promise<SenderAt[]> {
  const joined =
    by.of === 'senders'
      ? db
          .selectFrom('outputs')
          .crossJoin('inputs as source')
          .crossJoin('servers as home')
          .crossJoin('server_addresses')
          .crossJoin('servers')
      : db
          .selectFrom('server_addresses')
          .crossJoin('servers')
          .crossJoin('outputs')
          .crossJoin('inputs as source')
          .crossJoin('servers as home')
  const all = joined
    .whereRef('source.id', '=', 'outputs.input_id')
    .whereRef('home.id', '=', 'source.server_id')
    .whereRef('server_addresses.address', '=', 'outputs.calls_address')
    .whereRef('servers.id', '=', 'server_addresses.server_id')
    .select(['outputs.id as senderId', 'servers.id as serverId', 'outputs.calls_port as port'])
    .select(['home.host_key as callerHost', 'servers.host_key as listenerHost'])
    .select(['outputs.calls_address as address', 'outputs.output_type as outputType'])
    .where('servers.server_type', '=', 'channel')
  const rows = await ofEach(by.ids, async (some) =>
    by.of === 'senders'
      ? all.where('outputs.id', 'in', some).execute()
      : all
          .where('server_addresses.server_id', 'in', some)
          .where('outputs.calls_port', 'in', by.ports)
          .execute(),
  )
  return rows.filter(isReached).map(({ senderId, serverId, port, outputType }) => {
    return {
      sender: { kind: 'output', id: senderId },
      serverId,
      protocol: protocolOf(outputType),
      port,
    }
  })
}

/** `ids`: of the senders, or of the media servers that they call on one of these ports. */
export type SendersBy =
  | { of: 'senders'; ids: readonly string[] }
  | { of: 'servers'; ids: readonly string[]; ports: readonly number[] }

/** An output that listens, at each address where it may be called. */
export interface ListeningOutput {
  outputId: string
  protocol: StreamAddress['protocol']
  address: string
  port: number
  listenerHost: string
}

/** These outputs, or those at one of these addresses and one of these ports. */
export async function listeningOutputs(
  db: Db,
  by:
    | { of: 'outputs'; ids: readonly string[] }
    | { of: 'addresses'; ids: readonly string[]; ports: readonly number[] },
): Promise<ListeningOutput[]> {
  const joined =
    by.of === 'outputs'
      ? db
          .selectFrom('port_claims')
          .crossJoin('servers')
          .crossJoin('server_addresses')
          .crossJoin('outputs')
      : db
          .selectFrom('server_addresses')
          .crossJoin('servers')
          .crossJoin('port_claims')
          .crossJoin('outputs')
  const all = joined
    .whereRef('servers.host_key', '=', 'port_claims.host_key')
    .whereRef('server_addresses.server_id', '=', 'servers.id')
    .whereRef('outputs.id', '=', 'port_claims.owner_id')
    .select(['outputs.id as outputId', 'outputs.output_type as outputType'])
    .select(['server_addresses.address as address', 'port_claims.port as port'])
    .select('servers.host_key as listenerHost')
    .where('port_claims.owner_kind', '=', 'output')
    .where('port_claims.leg', '=', OUTER_LEG)
  const rows = await ofEach(by.ids, async (some) =>
    by.of === 'outputs'
      ? all.where('port_claims.owner_id', 'in', some).execute()
      : all
          .where('server_addresses.address', 'in', some)
          .where('port_claims.port', 'in', by.ports)
          .execute(),
  )
  return rows.map(({ outputType, ...row }) => ({ ...row, protocol: protocolOf(outputType) }))
}

/** The hosts of these servers, in small letters. */
export async function hostKeysOf(
  db: Db,
  serverIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ofEach(serverIds, async (some) =>
    db.selectFrom('servers').select(['id', 'host_key']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, host_key: host }) => [id, host]))
}
