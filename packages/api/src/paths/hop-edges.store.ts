/**
 * Which hop feeds which, joined from what is configured. Every query is about a whole set of objects,
 * and begins at an index: by the ids of the one end, by the address and port that a sender calls, or
 * by the port that a receiver listens on. SQLite does not know that many hosts have the same ports, and
 * would begin at these: it reads the tables in the order of their `crossJoin`. PostgreSQL chooses by
 * what it has counted.
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

export async function ofEach<T>(
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
  const joined =
    by === 'feeders.id'
      ? db
          .selectFrom('feeders')
          .crossJoin('encoders')
          .crossJoin('server_addresses')
          .crossJoin('servers')
          .crossJoin('inputs')
      : db
          .selectFrom('inputs')
          .crossJoin('servers')
          .crossJoin('server_addresses')
          .crossJoin('feeders')
          .crossJoin('encoders')
  const rows = await ofEach(ids, async (some) =>
    joined
      .whereRef('encoders.id', '=', 'feeders.encoder_id')
      .whereRef('server_addresses.address', '=', 'feeders.calls_address')
      .whereRef('servers.id', '=', 'server_addresses.server_id')
      .whereRef('inputs.server_id', '=', 'server_addresses.server_id')
      .whereRef('inputs.port', '=', 'feeders.calls_port')
      .select(['feeders.id as beforeId', 'inputs.id as behindId', 'encoders.ip as callerHost'])
      .select(['feeders.calls_address as address', 'servers.host_key as listenerHost'])
      .select('inputs.input_type as inputType')
      .where(by, 'in', some)
      .where(CALLS_NOBODY)
      .where(isNamedServer())
      .execute(),
  )
  return rows
    .filter((row) => isReached(row) && protocolOfInput(row.inputType) === 'srt')
    .map((row) => edge('feeder', row.beforeId, 'input', row.behindId))
}

/** Of an input. The sign keeps SQLite from reading all of them by the index of that port. */
const CALLS_NOBODY = sql<SqlBool>`+inputs.calls_port = 0`

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
  const joined =
    by === 'outputs.id'
      ? db
          .selectFrom('outputs')
          .crossJoin('inputs as source')
          .crossJoin('servers as home')
          .crossJoin('server_addresses')
          .crossJoin('servers')
          .crossJoin('inputs')
      : db
          .selectFrom('inputs')
          .crossJoin('servers')
          .crossJoin('server_addresses')
          .crossJoin('outputs')
          .crossJoin('inputs as source')
          .crossJoin('servers as home')
  const rows = await ofEach(ids, async (some) =>
    joined
      .whereRef('source.id', '=', 'outputs.input_id')
      .whereRef('home.id', '=', 'source.server_id')
      .whereRef('server_addresses.address', '=', 'outputs.calls_address')
      .whereRef('servers.id', '=', 'server_addresses.server_id')
      .whereRef('inputs.server_id', '=', 'server_addresses.server_id')
      .whereRef('inputs.port', '=', 'outputs.calls_port')
      .select(['outputs.id as beforeId', 'inputs.id as behindId', 'home.host_key as callerHost'])
      .select(['outputs.calls_address as address', 'servers.host_key as listenerHost'])
      .select(['inputs.input_type as inputType', 'outputs.output_type as outputType'])
      .where(by, 'in', some)
      .where(CALLS_NOBODY)
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
  const joined =
    by === 'inputs.id'
      ? db
          .selectFrom('inputs')
          .crossJoin('servers as home')
          .crossJoin('server_addresses')
          .crossJoin('servers')
          .crossJoin('port_claims')
          .crossJoin('outputs')
      : db
          .selectFrom('outputs')
          .crossJoin('port_claims')
          .crossJoin('servers')
          .crossJoin('server_addresses')
          .crossJoin('inputs')
          .crossJoin('servers as home')
  const rows = await ofEach(ids, async (some) =>
    joined
      .whereRef('home.id', '=', 'inputs.server_id')
      .whereRef('server_addresses.address', '=', 'inputs.calls_address')
      .whereRef('servers.id', '=', 'server_addresses.server_id')
      .whereRef('port_claims.host_key', '=', 'servers.host_key')
      .whereRef('port_claims.port', '=', 'inputs.calls_port')
      .whereRef('outputs.id', '=', 'port_claims.owner_id')
      .where('port_claims.owner_kind', '=', 'output')
      .where('port_claims.leg', '=', OUTER_LEG)
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
export const OUTER_LEG = 'outer'

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

export function protocolOf(type: 'SRT' | 'RIST'): StreamAddress['protocol'] {
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
