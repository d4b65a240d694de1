/** What a path shows of its hops, read for all hops of a kind together. */
import { FeederInput, FeederOutput } from '@trunkline/contract/encoders/encoder-config.schema'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import type { HopKind, ShownHop } from '@trunkline/contract/paths/path.schema'
import { z } from 'zod'
import { decodeFlag, decodeJson } from '../db/codecs.ts'
import type { Db } from '../db/open.ts'
import { readByIds } from '../db/read-by-ids.ts'

/** Push outputs are known to the media server alone. */
export type StoredKind = Exclude<HopKind, 'push'>

/** A hop as the database has it, without its state. */
export interface HopDetails extends Omit<
  ShownHop,
  'isShown' | 'key' | 'side' | 'kind' | 'groups' | 'state' | 'facts'
> {
  kind: StoredKind
  groupIds: readonly string[]
  groups: readonly string[]
}

const NOTHING = {
  isEnabled: true,
  isConfigured: true,
  inputType: null,
  link: null,
  server: '',
  hostKey: '',
  serverId: '',
  streamName: '',
  ownerId: '',
  groupId: '',
}

async function encoders(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('encoders')
      .innerJoin('groups', 'groups.id', 'encoders.group_id')
      .select(['encoders.id as id', 'encoders.title as title', 'encoders.ip as ip'])
      .select(['encoders.port as port', 'encoders.is_enabled as isEnabled'])
      .select(['encoders.card_idx as card', 'groups.id as groupId', 'groups.title as group'])
      .where('encoders.id', 'in', some)
      .execute(),
  )
  return rows.map((row) => ({
    ...NOTHING,
    ...inGroup(row),
    kind: 'encoder',
    id: row.id,
    title: row.title,
    isEnabled: decodeFlag(row.isEnabled),
    isConfigured: row.card !== null,
    server: row.ip,
    hostKey: row.ip.toLowerCase(),
  }))
}

const FeederSpec = z.object({ input: FeederInput, output: z.array(FeederOutput) })

/** A feeder runs where its encoder does, and is disabled with it. */
async function feeders(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('feeders')
      .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
      .innerJoin('groups', 'groups.id', 'encoders.group_id')
      .select(['feeders.id as id', 'feeders.spec as spec', 'feeders.encoder_id as ownerId'])
      .select(['encoders.ip as ip', 'encoders.is_enabled as isEnabled'])
      .select(['feeders.calls_address as host', 'feeders.calls_port as port'])
      .select(['groups.id as groupId', 'groups.title as group'])
      .where('feeders.id', 'in', some)
      .execute(),
  )
  return rows.map((row) => {
    const { input, output } = decodeJson(FeederSpec, row.spec)
    const latencyMs = output[0]?.latency ?? 0
    return {
      ...NOTHING,
      ...inGroup(row),
      kind: 'feeder',
      id: row.id,
      title: input.title,
      isEnabled: decodeFlag(row.isEnabled),
      server: row.ip,
      hostKey: row.ip.toLowerCase(),
      ownerId: row.ownerId,
      link: { protocol: 'srt', mode: 'call', host: row.host, port: row.port, latencyMs },
    }
  })
}

async function inputs(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('inputs')
      .innerJoin('servers', 'servers.id', 'inputs.server_id')
      .innerJoin('groups', 'groups.id', 'inputs.group_id')
      .select(['inputs.id as id', 'inputs.title as title', 'inputs.is_enabled as isEnabled'])
      .select(['inputs.input_type as type', 'inputs.config as config'])
      .select(['servers.id as serverId', 'servers.title as server', 'servers.host_key as hostKey'])
      .select(['groups.id as groupId', 'groups.title as group'])
      .where('inputs.id', 'in', some)
      .execute(),
  )
  return rows.map(({ config, type, ...row }) => ({
    ...NOTHING,
    ...placed(row),
    kind: 'input',
    inputType: type,
    groupId: row.groupId,
    link: type === 'Local' ? null : linkOf(type, decodeJson(InputConfig, config)),
  }))
}

/** An output runs where its input does, and is of the same group. */
async function outputs(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('outputs')
      .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
      .innerJoin('servers', 'servers.id', 'inputs.server_id')
      .innerJoin('groups', 'groups.id', 'inputs.group_id')
      .select(['outputs.id as id', 'outputs.title as title', 'outputs.is_enabled as isEnabled'])
      .select(['outputs.output_type as type', 'outputs.config as config'])
      .select(['outputs.input_id as ownerId', 'servers.id as serverId'])
      .select(['servers.title as server', 'servers.host_key as hostKey'])
      .select(['groups.id as groupId', 'groups.title as group'])
      .where('outputs.id', 'in', some)
      .execute(),
  )
  return rows.map(({ config, type, ownerId, ...row }) => ({
    ...NOTHING,
    ...placed(row),
    kind: 'output',
    ownerId,
    link: linkOf(type, decodeJson(OutputConfig, config)),
  }))
}

async function channels(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('channels')
      .innerJoin('servers', 'servers.id', 'channels.server_id')
      .select(['channels.id as id', 'channels.title as title', 'channels.name as streamName'])
      .select(['servers.id as serverId', 'servers.title as server', 'servers.host_key as hostKey'])
      .where('channels.id', 'in', some)
      .execute(),
  )
  const groups = await readByIds(ids, async (some) =>
    db
      .selectFrom('channel_groups')
      .innerJoin('groups', 'groups.id', 'channel_groups.group_id')
      .select([
        'channel_groups.channel_id as channelId',
        'groups.id as id',
        'groups.title as title',
      ])
      .where('channel_groups.channel_id', 'in', some)
      .orderBy('groups.title_key')
      .execute(),
  )
  const byChannel = Map.groupBy(groups, ({ channelId }) => channelId)
  return rows.map((row) => {
    const own = byChannel.get(row.id) ?? []
    return {
      ...NOTHING,
      ...row,
      kind: 'channel',
      groupIds: own.map(({ id }) => id),
      groups: own.map(({ title }) => title),
    }
  })
}

async function destinations(db: Db, ids: readonly string[]): Promise<HopDetails[]> {
  const rows = await readByIds(ids, async (some) =>
    db
      .selectFrom('destinations')
      .innerJoin('groups', 'groups.id', 'destinations.group_id')
      .select(['destinations.id as id', 'destinations.title as title'])
      .select(['groups.id as groupId', 'groups.title as group'])
      .where('destinations.id', 'in', some)
      .execute(),
  )
  return rows.map(({ id, title, ...row }) => {
    return { ...NOTHING, ...inGroup(row), kind: 'destination', id, title }
  })
}

/** Of these encoders, those that the user is assigned to. */
export async function assigned(
  db: Db,
  userId: string,
  encoderIds: readonly string[],
): Promise<Set<string>> {
  const rows = await readByIds(encoderIds, async (some) =>
    db
      .selectFrom('encoder_users')
      .select('encoder_id')
      .where('user_id', '=', userId)
      .where('encoder_id', 'in', some)
      .execute(),
  )
  return new Set(rows.map((row) => row.encoder_id))
}

export const DETAILS_OF: Readonly<
  Record<StoredKind, (db: Db, ids: readonly string[]) => Promise<HopDetails[]>>
> = {
  encoder: encoders,
  feeder: feeders,
  input: inputs,
  output: outputs,
  destination: destinations,
  channel: channels,
}

function inGroup({ groupId, group }: { groupId: string; group: string }) {
  return { groupIds: [groupId], groups: [group] }
}

function placed(row: {
  id: string
  title: string
  isEnabled: number
  serverId: string
  server: string
  hostKey: string
  groupId: string
  group: string
}) {
  const { id, title, serverId, server, hostKey } = row
  return {
    id,
    title,
    serverId,
    server,
    hostKey,
    ...inGroup(row),
    isEnabled: decodeFlag(row.isEnabled),
  }
}

function linkOf(
  type: 'SRT' | 'RIST' | 'aCANFeeder',
  config: Pick<OutputConfig, 'mode' | 'host' | 'port' | 'latency' | 'bufferMin'>,
): ShownHop['link'] {
  const { mode, host, port, latency, bufferMin } = config
  const isRist = type === 'RIST'
  return {
    protocol: isRist ? 'rist' : 'srt',
    mode: mode === 'Push' ? 'call' : 'listen',
    host: mode === 'Push' ? host : '',
    port,
    latencyMs: isRist ? (bufferMin ?? latency) : latency,
  }
}
