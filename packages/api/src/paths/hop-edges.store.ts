/**
 * Which hop feeds which, joined from what is configured. Every query is about a whole set of objects,
 * and begins at an index: by the ids of the one end, by the address and port that a sender calls, or
 * by the port that a receiver listens on.
 */
import type { StreamAddress } from '@trunkline/contract/channels/stream-address.rules'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../db/open.ts'
import { readByIds } from '../db/read-by-ids.ts'
import { isReached, protocolOfInput } from './hop-edges.rules.ts'
import type { PathKey } from './path-source.ts'

export interface HopEdge {
  before: PathKey
  behind: PathKey
}

/** Rows are short. */
const IDS_AT_ONCE = 500

async function ofEach<T>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  return readByIds(ids, read, IDS_AT_ONCE)
}

/** An encoder and its feeders; `by`: which of the two the ids are of. */
export async function encoderToFeeder(
  db: Db,
  by: 'encoder_id' | 'id',
  ids: readonly string[],
): Promise<HopEdge[]> {
  const rows = await ofEach(ids, async (some) =>
    db.selectFrom('feeders').select(['id', 'encoder_id']).where(by, 'in', some).execute(),
  )
  return rows.map((row) => edge('encoder', row.encoder_id, 'feeder', row.id))
}

export async function inputToOutput(
  db: Db,
  by: 'input_id' | 'id',
  ids: readonly string[],
): Promise<HopEdge[]> {
  const rows = await ofEach(ids, async (some) =>
    db.selectFrom('outputs').select(['id', 'input_id']).where(by, 'in', some).execute(),
  )
  return rows.map((row) => edge('input', row.input_id, 'output', row.id))
}

/** Of these outputs those that read a Local input, with all outputs of that input in order of their ids. */
export async function outputsOfSameBus(
  db: Db,
  outputIds: readonly string[],
): Promise<Map<string, PathKey[]>> {
  const local = await ofEach(outputIds, async (some) =>
    db
      .selectFrom('outputs')
      .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
      .where('outputs.id', 'in', some)
      .where('inputs.input_type', '=', 'Local')
      .select(['outputs.id', 'outputs.input_id'])
      .execute(),
  )
  const inputIds = [...new Set(local.map((row) => row.input_id))]
  const edges = (await inputToOutput(db, 'input_id', inputIds)).toSorted((a, b) =>
    a.behind.id < b.behind.id ? -1 : 1,
  )
  const ofInput = Map.groupBy(edges, ({ before }) => before.id)
  return new Map(
    local.map((row) => [row.id, (ofInput.get(row.input_id) ?? []).map(({ behind }) => behind)]),
  )
}

/**
 * A feeder and the input that listens where it calls. Where several servers have the address it is the
 * server that the feeder names.
 */
export async function feederToInput(
  db: Db,
  by: 'feeders.id' | 'inputs.id',
  ids: readonly string[],
): Promise<HopEdge[]> {
  const rows = await ofEach(ids, async (some) =>
    db
      .selectFrom('feeders')
      .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
      .innerJoin('server_addresses', 'server_addresses.address', 'feeders.calls_address')
      .innerJoin('servers', 'servers.id', 'server_addresses.server_id')
      .innerJoin('inputs', (join) =>
        join
          .onRef('inputs.server_id', '=', 'server_addresses.server_id')
          .onRef('inputs.port', '=', 'feeders.calls_port'),
      )
      .select(['feeders.id as beforeId', 'inputs.id as behindId', 'encoders.ip as callerHost'])
      .select(['feeders.calls_address as address', 'servers.host_key as listenerHost'])
      .select('inputs.input_type as inputType')
      .where(by, 'in', some)
      .where('inputs.calls_port', '=', 0)
      .where(isNamedServer())
      .execute(),
  )
  return rows
    .filter((row) => isReached(row) && protocolOfInput(row.inputType) === 'srt')
    .map((row) => edge('feeder', row.beforeId, 'input', row.behindId))
}

/** Of a feeder: its own server before others that have the same address; a loopback address is its host's. */
function isNamedServer() {
  return sql<SqlBool>`(feeders.server_id = server_addresses.server_id
    or feeders.calls_address like '127.%' or not exists (
    select 1 from server_addresses as own
    where own.server_id = feeders.server_id and own.address = feeders.calls_address
  ))`
}

/** An output that calls, and the input of whatever server that listens there. */
export async function outputToInput(
  db: Db,
  by: 'outputs.id' | 'inputs.id',
  ids: readonly string[],
): Promise<HopEdge[]> {
  const rows = await ofEach(ids, async (some) =>
    db
      .selectFrom('outputs')
      .innerJoin('inputs as source', 'source.id', 'outputs.input_id')
      .innerJoin('servers as home', 'home.id', 'source.server_id')
      .innerJoin('server_addresses', 'server_addresses.address', 'outputs.calls_address')
      .innerJoin('servers', 'servers.id', 'server_addresses.server_id')
      .innerJoin('inputs', (join) =>
        join
          .onRef('inputs.server_id', '=', 'server_addresses.server_id')
          .onRef('inputs.port', '=', 'outputs.calls_port'),
      )
      .select(['outputs.id as beforeId', 'inputs.id as behindId', 'home.host_key as callerHost'])
      .select(['outputs.calls_address as address', 'servers.host_key as listenerHost'])
      .select(['inputs.input_type as inputType', 'outputs.output_type as outputType'])
      .where(by, 'in', some)
      .where('inputs.calls_port', '=', 0)
      .execute(),
  )
  return rows
    .filter(
      (row) => isReached(row) && protocolOfInput(row.inputType) === protocolOf(row.outputType),
    )
    .map((row) => edge('output', row.beforeId, 'input', row.behindId))
}

/** An output that listens, and the input that calls it. */
export async function outputToCallingInput(
  db: Db,
  by: 'outputs.id' | 'inputs.id',
  ids: readonly string[],
): Promise<HopEdge[]> {
  const rows = await ofEach(ids, async (some) =>
    db
      .selectFrom('inputs')
      .innerJoin('servers as home', 'home.id', 'inputs.server_id')
      .innerJoin('server_addresses', 'server_addresses.address', 'inputs.calls_address')
      .innerJoin('servers', 'servers.id', 'server_addresses.server_id')
      .innerJoin('port_claims', (join) =>
        join
          .onRef('port_claims.host_key', '=', 'servers.host_key')
          .onRef('port_claims.port', '=', 'inputs.calls_port')
          .on('port_claims.owner_kind', '=', 'output')
          .on('port_claims.leg', '=', OUTER_LEG),
      )
      .innerJoin('outputs', 'outputs.id', 'port_claims.owner_id')
      .select(['outputs.id as beforeId', 'inputs.id as behindId', 'home.host_key as callerHost'])
      .select(['inputs.calls_address as address', 'servers.host_key as listenerHost'])
      .select(['inputs.input_type as inputType', 'outputs.output_type as outputType'])
      .where(by, 'in', some)
      .execute(),
  )
  return rows
    .filter(
      (row) => isReached(row) && protocolOfInput(row.inputType) === protocolOf(row.outputType),
    )
    .map((row) => edge('output', row.beforeId, 'input', row.behindId))
}

/** The port that a listening output takes its callers on; see outerPorts() of the contract. */
const OUTER_LEG = 'outer'

export async function outputToDestination(db: Db, outputIds: readonly string[]) {
  const rows = await ofEach(outputIds, async (some) =>
    db
      .selectFrom('outputs')
      .select(['id', 'destination_id'])
      .where('id', 'in', some)
      .where('destination_id', 'is not', null)
      .execute(),
  )
  return rows.flatMap((row) =>
    row.destination_id === null ? [] : [{ outputId: row.id, destinationId: row.destination_id }],
  )
}

/** The ids of the outputs that send to these destinations. */
export async function outputsToDestinations(
  db: Db,
  destinationIds: readonly string[],
): Promise<string[]> {
  const rows = await ofEach(destinationIds, async (some) =>
    db.selectFrom('outputs').select('id').where('destination_id', 'in', some).execute(),
  )
  return rows.map(({ id }) => id)
}

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

/** Which media servers these feeders call. `at` instead of `ids`: which feeders call these media servers. */
export async function feedersToStreams(db: Db, by: SendersBy): Promise<SenderAt[]> {
  const all = db
    .selectFrom('feeders')
    .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
    .innerJoin('server_addresses', 'server_addresses.address', 'feeders.calls_address')
    .innerJoin('servers', 'servers.id', 'server_addresses.server_id')
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
  const all = db
    .selectFrom('outputs')
    .innerJoin('inputs as source', 'source.id', 'outputs.input_id')
    .innerJoin('servers as home', 'home.id', 'source.server_id')
    .innerJoin('server_addresses', 'server_addresses.address', 'outputs.calls_address')
    .innerJoin('servers', 'servers.id', 'server_addresses.server_id')
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
  const all = db
    .selectFrom('port_claims')
    .innerJoin('servers', 'servers.host_key', 'port_claims.host_key')
    .innerJoin('server_addresses', 'server_addresses.server_id', 'servers.id')
    .innerJoin('outputs', 'outputs.id', 'port_claims.owner_id')
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

function protocolOf(type: 'SRT' | 'RIST'): StreamAddress['protocol'] {
  return type === 'SRT' ? 'srt' : 'rist'
}

function edge(
  beforeKind: PathKey['kind'],
  beforeId: string,
  behindKind: PathKey['kind'],
  behindId: string,
): HopEdge {
  return {
    before: { kind: beforeKind, id: beforeId },
    behind: { kind: behindKind, id: behindId },
  }
}
