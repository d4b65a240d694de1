import type { CHANNEL_SORTS } from '@trunkline/contract/channels/channel.calls'
import type { Sort } from '@trunkline/contract/paging.schema'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { guarded } from '../db/guarded.ts'
import { idList } from '../db/id-list.ts'
import { findText, idsMatching } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { listPage, orderOf, type AskedPage } from '../db/page-rows.ts'
import { readByIds } from '../db/read-by-ids.ts'
import type { Database } from '../db/schema.ts'
import { searchText, titleKey } from '../db/search.ts'
import { holdRow, touchRow } from '../db/versioned-row.ts'
import { conflict, invalid } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'

/** The media server of a channel, as far as it is asked or named. */
export interface ChannelServer {
  id: string
  title: string
  /** As typed. */
  host: string
  port: number
  apiKeySealed: string
}

export interface ChannelRecord {
  id: string
  /** The stream's name on its server. */
  name: string
  title: string
  server: ChannelServer
  /** In order of the groups' creation. */
  groupIds: string[]
  version: number
  createdAt: string
}

export interface ChannelFilter extends AskedPage {
  scope: GroupScope
  /** '' means any. */
  serverId: string
  groupId: string
  search: string
  /** Only these; null for any. */
  ids: readonly string[] | null
  sort?: Sort<(typeof CHANNEL_SORTS)[number]>
}

const ORDERS = { title: ['channels.title_key', 'channels.id'] }

export interface NewChannel {
  id: string
  serverId: string
  name: string
  title: string
  createdAt: string
}

export async function find(db: Db, id: string, scope: GroupScope): Promise<ChannelRecord | null> {
  const rows = await inGroups(withServer(db), anyOf(scope)).where('channels.id', '=', id).execute()
  return (await toRecords(db, rows))[0] ?? null
}

/** From then on, until the transaction ends, nobody else can `hold` it. Finds as `find` does. */
export async function hold(trx: Db, id: string, scope: GroupScope): Promise<ChannelRecord | null> {
  await holdRow(trx, 'channels', id)
  return find(trx, id, scope)
}

export async function findStream(
  db: Db,
  serverId: string,
  name: string,
  scope: GroupScope,
): Promise<ChannelRecord | null> {
  const rows = await inGroups(withServer(db), anyOf(scope))
    .where('channels.server_id', '=', serverId)
    .where('channels.name', '=', name)
    .execute()
  return (await toRecords(db, rows))[0] ?? null
}

export async function listByIds(db: Db, ids: readonly string[]): Promise<ChannelRecord[]> {
  if (ids.length === 0) return []
  return toRecords(db, await inOrder(withServer(db)).where('channels.id', 'in', ids).execute())
}

/** Every channel of these servers. */
export async function listByServers(
  db: Db,
  serverIds: readonly string[],
): Promise<ChannelRecord[]> {
  if (serverIds.length === 0) return []
  const rows = inOrder(withServer(db)).where('channels.server_id', 'in', serverIds)
  return toRecords(db, await rows.execute())
}

/** In order of creation, what was saved together by name; unless it is sorted. */
export async function list(
  db: Db,
  filter: ChannelFilter,
): Promise<{ channels: ChannelRecord[]; total: number }> {
  let wanted = inGroups(db.selectFrom('channels'), groupsOf(filter))
  if (filter.serverId !== '') wanted = wanted.where('channels.server_id', '=', filter.serverId)
  if (filter.ids !== null) wanted = wanted.where('channels.id', 'in', idList(filter.ids))
  const search = filter.search.trim()
  const isWhole =
    filter.scope === 'all' && filter.serverId + filter.groupId === '' && filter.ids === null
  let known: number | null = null
  if (search !== '') {
    const found = await findText(db, 'channels', search, { isWhole })
    const serverIds = await idsMatching(db, 'servers', search)
    wanted = wanted.where((eb) =>
      serverIds.length === 0
        ? found.where
        : eb.or([found.where, eb('channels.server_id', 'in', serverIds)]),
    )
    if (serverIds.length === 0) known = found.total
  }
  const { rows, total } = await listPage(
    {
      matching: wanted,
      total: known,
      rows: withServer(db),
      order: orderOf(
        filter.sort ?? '',
        ['channels.created_at', 'channels.name', 'channels.id'],
        ORDERS,
      ),
    },
    filter,
  )
  return { channels: await toRecords(db, rows), total }
}

/** Conflict when somebody else has just saved the same stream; invalid when a group does not exist. */
export async function insert(
  db: Db,
  channel: NewChannel,
  groupIds: readonly string[],
): Promise<void> {
  const { id, serverId, name, title, createdAt } = channel
  const unique = () =>
    conflict(`Somebody else saved the stream ${name} at the same time. Save again.`, {
      field: 'name',
    })
  await guarded({ unique }, async () =>
    db
      .insertInto('channels')
      .values({
        id,
        server_id: serverId,
        name,
        title,
        title_key: titleKey(title),
        version: 1,
        created_at: createdAt,
        search: searchText([name, title]),
      })
      .execute(),
  )
  await insertGroups(db, id, groupIds)
}

/** Groups that see it besides those that do already. */
export async function addGroups(
  db: Db,
  channelId: string,
  groupIds: readonly string[],
): Promise<void> {
  await insertGroups(db, channelId, groupIds)
  await touchRow(db, 'channels', channelId)
}

export async function rename(
  db: Db,
  channel: Pick<ChannelRecord, 'id' | 'name'>,
  title: string,
): Promise<void> {
  await db
    .updateTable('channels')
    .set((row) => ({
      title,
      title_key: titleKey(title),
      search: searchText([channel.name, title]),
      version: row('version', '+', 1),
    }))
    .where('id', '=', channel.id)
    .execute()
}

/** Its groups that no longer see it; it stays for the others. */
export async function dropGroups(
  db: Db,
  channelId: string,
  groupIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('channel_groups')
    .where('channel_id', '=', channelId)
    .where('group_id', 'in', groupIds)
    .execute()
  await touchRow(db, 'channels', channelId)
}

export async function remove(db: Db, channelId: string): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', channelId).execute()
}

async function insertGroups(db: Db, channelId: string, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  const foreignKey = () =>
    invalid('groupIds', 'names a group that does not exist. Choose groups from the list.')
  await guarded({ foreignKey }, async () =>
    db
      .insertInto('channel_groups')
      .values(groupIds.map((groupId) => ({ channel_id: channelId, group_id: groupId })))
      .onConflict((known) => known.doNothing())
      .execute(),
  )
}

/** A group outside the scope is not looked for, not even on channels that are shared with it. */
function groupsOf({ scope, groupId }: ChannelFilter): WantedGroups {
  if (groupId === '') return anyOf(scope)
  return scope === 'all' || scope.includes(groupId) ? [groupId] : []
}

type WantedGroups = 'any' | readonly string[]

function anyOf(scope: GroupScope): WantedGroups {
  return scope === 'all' ? 'any' : scope
}

function inGroups<TB extends 'channels' | 'servers', Row>(
  wanted: SelectQueryBuilder<Database, TB | 'channels', Row>,
  groupIds: WantedGroups,
) {
  if (groupIds === 'any') return wanted
  // A list of its own, not looked up for each channel.
  const ids = sql`select channel_id from channel_groups where group_id in (${sql.join(idList(groupIds))})`
  return wanted.where(sql<SqlBool>`channels.id in (${ids})`)
}

function withServer(db: Db) {
  return db
    .selectFrom('channels')
    .innerJoin('servers', 'servers.id', 'channels.server_id')
    .select([
      'channels.id',
      'channels.name',
      'channels.title',
      'channels.version',
      'channels.created_at as createdAt',
      'servers.id as serverId',
      'servers.title as serverTitle',
      'servers.host',
      'servers.port',
      'servers.api_key_sealed as apiKeySealed',
    ])
}

type ChannelQuery = ReturnType<typeof withServer>

function inOrder(channels: ChannelQuery): ChannelQuery {
  return channels.orderBy('channels.created_at').orderBy('channels.name').orderBy('channels.id')
}

async function toRecords(
  db: Db,
  rows: Awaited<ReturnType<ChannelQuery['execute']>>,
): Promise<ChannelRecord[]> {
  const groups = await groupIdsOf(
    db,
    rows.map((row) => row.id),
  )
  return rows.map(({ serverId, serverTitle, host, port, apiKeySealed, ...channel }) => {
    const server = { id: serverId, title: serverTitle, host, port, apiKeySealed }
    return { ...channel, server, groupIds: groups.get(channel.id) ?? [] }
  })
}

/** Of each channel that has any, in order of the groups' creation. */
async function groupIdsOf(db: Db, channelIds: readonly string[]): Promise<Map<string, string[]>> {
  const pairs = await readByIds(channelIds, async (some) =>
    db
      .selectFrom('channel_groups')
      .innerJoin('groups', 'groups.id', 'channel_groups.group_id')
      .select(['channel_groups.channel_id as channelId', 'channel_groups.group_id as groupId'])
      .where('channel_groups.channel_id', 'in', some)
      .orderBy('groups.created_at')
      .orderBy('groups.id')
      .execute(),
  )
  const groups = new Map<string, string[]>()
  for (const { channelId, groupId } of pairs) {
    const known = groups.get(channelId)
    if (known === undefined) groups.set(channelId, [groupId])
    else known.push(groupId)
  }
  return groups
}
