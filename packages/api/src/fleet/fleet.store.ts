/** Which hosts and channels there are; the fleet holds them in memory, and reads what has changed. */
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Db } from '../db/open.ts'
import { readByIds } from '../db/read-by-ids.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import type { RecordFilter } from '../hosts/host-records.ts'
import { baseUrlOf } from '../stream-servers/media-server.ts'
import type { ChannelRef } from './stream-board.ts'

/** `open` unseals an API key. Servers come after encoders, both in order of creation. */
export async function listHostRecords(
  db: Db,
  open: (sealed: string) => string,
  filter: RecordFilter,
): Promise<HostRecord[]> {
  const encoders = filter.by === 'server' ? [] : await encoderRecords(db, open, filter)
  const servers = filter.by === 'encoder' ? [] : await serverRecords(db, open, filter)
  return [...encoders, ...servers]
}

async function encoderRecords(
  db: Db,
  open: (sealed: string) => string,
  filter: RecordFilter,
): Promise<HostRecord[]> {
  let wanted = db.selectFrom('encoders').select(['id', 'ip', 'port', 'group_id', 'api_key_sealed'])
  if (filter.by === 'encoder') wanted = wanted.where('id', '=', filter.id)
  if (filter.by === 'address') {
    wanted = wanted.where('ip', '=', filter.address.host).where('port', '=', filter.address.port)
  }
  const encoders = await wanted.orderBy('created_at').orderBy('id').execute()
  const assigned = db.selectFrom('encoder_users').selectAll()
  const pairs =
    filter.by === 'all'
      ? await assigned.execute()
      : await readByIds(idsOf(encoders), async (some) =>
          assigned.where('encoder_id', 'in', some).execute(),
        )
  const editors = Map.groupBy(pairs, (pair) => pair.encoder_id)
  return encoders.map((row) => ({
    id: row.id,
    kind: 'encoder',
    answerer: 'agent',
    address: { host: hostKeyOf(row.ip), port: row.port },
    baseUrl: baseUrlOf(row.ip, row.port),
    apiKey: open(row.api_key_sealed),
    groupIds: [row.group_id],
    editorIds: (editors.get(row.id) ?? []).map((pair) => pair.user_id),
  }))
}

async function serverRecords(
  db: Db,
  open: (sealed: string) => string,
  filter: RecordFilter,
): Promise<HostRecord[]> {
  let wanted = db
    .selectFrom('servers')
    .select(['id', 'host', 'port', 'server_type', 'api_key_sealed'])
  if (filter.by === 'server') wanted = wanted.where('id', '=', filter.id)
  if (filter.by === 'address') {
    const { host, port } = filter.address
    wanted = wanted.where('host_key', '=', host).where('port', '=', port)
  }
  const servers = await wanted.orderBy('created_at').orderBy('id').execute()
  const seen = db.selectFrom('server_groups').selectAll()
  const pairs =
    filter.by === 'all'
      ? await seen.execute()
      : await readByIds(idsOf(servers), async (some) =>
          seen.where('server_id', 'in', some).execute(),
        )
  const groups = Map.groupBy(pairs, (pair) => pair.server_id)
  return servers.map((row) => ({
    id: row.id,
    kind: 'server',
    answerer: row.server_type === 'acants' ? 'agent' : 'media server',
    address: { host: hostKeyOf(row.host), port: row.port },
    baseUrl: baseUrlOf(row.host, row.port),
    apiKey: open(row.api_key_sealed),
    groupIds: (groups.get(row.id) ?? []).map((pair) => pair.group_id),
    editorIds: [],
  }))
}

/** All channels, or those of these ids. */
export async function listChannels(db: Db, ids: 'all' | readonly string[]): Promise<ChannelRef[]> {
  const wanted = db.selectFrom('channels').select(['id', 'server_id', 'name'])
  const channels =
    ids === 'all'
      ? await wanted.execute()
      : await readByIds(ids, async (some) => wanted.where('id', 'in', some).execute())
  const seen = db.selectFrom('channel_groups').selectAll()
  const pairs =
    ids === 'all'
      ? await seen.execute()
      : await readByIds(ids, async (some) => seen.where('channel_id', 'in', some).execute())
  const groups = Map.groupBy(pairs, (pair) => pair.channel_id)
  return channels.map((row) => ({
    id: row.id,
    serverId: row.server_id,
    name: row.name,
    groupIds: (groups.get(row.id) ?? []).map((pair) => pair.group_id),
  }))
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}
