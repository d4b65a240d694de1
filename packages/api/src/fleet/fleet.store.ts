/** Which hosts and channels there are, read whole: the fleet holds them in memory. */
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import { baseUrlOf } from '../stream-servers/media-server.ts'
import type { ChannelRef } from './stream-board.ts'

/** `open` unseals an API key. */
export async function listHostRecords(
  db: Kysely<Database>,
  open: (sealed: string) => string,
): Promise<HostRecord[]> {
  return [...(await encoderRecords(db, open)), ...(await serverRecords(db, open))]
}

async function encoderRecords(
  db: Kysely<Database>,
  open: (sealed: string) => string,
): Promise<HostRecord[]> {
  const encoders = await db
    .selectFrom('encoders')
    .select(['id', 'ip', 'port', 'group_id', 'api_key_sealed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const pairs = await db.selectFrom('encoder_users').selectAll().execute()
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
  db: Kysely<Database>,
  open: (sealed: string) => string,
): Promise<HostRecord[]> {
  const servers = await db
    .selectFrom('servers')
    .select(['id', 'host', 'port', 'server_type', 'api_key_sealed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const pairs = await db.selectFrom('server_groups').selectAll().execute()
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

export async function listChannels(db: Kysely<Database>): Promise<ChannelRef[]> {
  const channels = await db.selectFrom('channels').select(['id', 'server_id', 'name']).execute()
  const pairs = await db.selectFrom('channel_groups').selectAll().execute()
  const groups = Map.groupBy(pairs, (pair) => pair.channel_id)
  return channels.map((row) => ({
    id: row.id,
    serverId: row.server_id,
    name: row.name,
    groupIds: (groups.get(row.id) ?? []).map((pair) => pair.group_id),
  }))
}
