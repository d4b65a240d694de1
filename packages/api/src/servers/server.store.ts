import {
  Adapter,
  addressesOf,
  hostKeyOf,
  type ServerType,
} from '@trunkline/contract/servers/server.schema'
import type { SERVER_SORTS } from '@trunkline/contract/servers/server.calls'
import type { Sort } from '@trunkline/contract/paging.schema'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { decodeJson, encodeJson } from '../db/codecs.ts'
import { foreignKeyViolation } from '../db/faults.ts'
import { guarded, type Refusals } from '../db/guarded.ts'
import type { Db } from '../db/open.ts'
import { listPage, orderOf, type AskedPage } from '../db/page-rows.ts'
import type { Database, ServerRow } from '../db/schema.ts'
import { matches } from '../db/matches.ts'
import { addressKey, searchText, titleKey } from '../db/search.ts'
import { holdRow, updateVersioned } from '../db/versioned-row.ts'
import { conflict, invalid } from '../errors.ts'
import type { GroupScope } from '../security/actor.ts'
import { addressTaken } from './server-use.rules.ts'

export interface ServerRecord {
  id: string
  title: string
  /** As typed. */
  host: string
  /** The bare host in lower case: ports are unique on it. */
  hostKey: string
  port: number
  serverType: ServerType
  apiKeySealed: string
  description: string
  location: string
  adapters: Adapter[]
  version: number
  createdAt: string
  groups: GroupRef[]
}

/** What a save may change; the rest of a record is not an operator's. */
export type ServerContent = Omit<
  ServerRecord,
  'id' | 'hostKey' | 'version' | 'createdAt' | 'groups'
>

export interface ServerFilter extends AskedPage {
  scope: GroupScope
  type: ServerType | 'all'
  /** In title, host, location and description; '' for any. */
  search: string
  /** '' for any. */
  groupId: string
  /** One of `addressesOf` the server; '' for any. */
  address: string
  sort?: Sort<(typeof SERVER_SORTS)[number]>
}

const BY_TITLE = ['servers.title_key', 'servers.id']
const ORDERS = {
  title: BY_TITLE,
  host: ['servers.address_key', 'servers.port', 'servers.id'],
  port: ['servers.port', 'servers.id'],
}

export async function find(db: Db, id: string): Promise<ServerRecord | null> {
  const rows = await db.selectFrom('servers').selectAll().where('id', '=', id).execute()
  return (await withGroups(db, rows))[0] ?? null
}

/** In order of title, unless it is sorted otherwise. */
export async function list(
  db: Db,
  filter: ServerFilter,
): Promise<{ servers: ServerRecord[]; total: number }> {
  const { scope, groupId } = filter
  if (scope !== 'all' && scope.length === 0) return { servers: [], total: 0 }
  // A group outside the scope is not looked for, not even for servers that share another one.
  if (groupId !== '' && scope !== 'all' && !scope.includes(groupId)) {
    return { servers: [], total: 0 }
  }
  const { rows, total } = await listPage(
    {
      matching: filtered(db, filter),
      rows: db.selectFrom('servers').selectAll('servers'),
      order: orderOf(filter.sort ?? '', BY_TITLE, ORDERS),
    },
    filter,
  )
  return { servers: await withGroups(db, rows), total }
}

export async function listByType(
  db: Db,
  type: ServerType,
  scope: GroupScope,
): Promise<Pick<ServerRecord, 'host' | 'port'>[]> {
  if (scope !== 'all' && scope.length === 0) return []
  const all = db.selectFrom('servers').select(['host', 'port']).where('server_type', '=', type)
  const seen = scope === 'all' ? all : all.where((item) => isInGroups(item, scope))
  return seen.execute()
}

/** Which of these hosts have a server that is in the scope. */
export async function hostsWithServer(
  db: Db,
  hosts: readonly string[],
  scope: GroupScope,
): Promise<string[]> {
  if (hosts.length === 0 || (scope !== 'all' && scope.length === 0)) return []
  const all = db
    .selectFrom('servers')
    .select('host_key as hostKey')
    .distinct()
    .where('host_key', 'in', hosts)
  const seen = scope === 'all' ? all : all.where((item) => isInGroups(item, scope))
  return (await seen.execute()).map(({ hostKey }) => hostKey)
}

/** Conflict when the address is taken; invalid when a group does not exist. */
export async function insert(
  db: Db,
  server: Omit<ServerRecord, 'groups' | 'hostKey'>,
  groupIds: readonly string[],
): Promise<void> {
  const { id, version, createdAt } = server
  await guarded(refusalsOf(server), async () => {
    const row: ServerRow = { id, version, created_at: createdAt, ...columns(server) }
    await db.insertInto('servers').values(row).execute()
    await addAddresses(db, id, server)
    await addGroups(db, id, groupIds)
  })
}

/**
 * Answers false when somebody else has changed it since `version`. Refuses as `insert` does. Until
 * the transaction ends nobody else can `hold` the server.
 */
export async function update(
  db: Db,
  server: Pick<ServerRecord, 'id' | 'version' | 'groups'>,
  content: ServerContent,
  groupIds: readonly string[],
): Promise<boolean> {
  const { id } = server
  return guarded(refusalsOf(content), async () => {
    if (!(await updateVersioned(db, 'servers', server, columns(content)))) return false
    await db.deleteFrom('server_addresses').where('server_id', '=', id).execute()
    await addAddresses(db, id, content)
    const before = server.groups.map((group) => group._id)
    const left = before.filter((groupId) => !groupIds.includes(groupId))
    if (left.length > 0) {
      await db
        .deleteFrom('server_groups')
        .where('server_id', '=', id)
        .where('group_id', 'in', left)
        .execute()
    }
    await addGroups(
      db,
      id,
      groupIds.filter((groupId) => !before.includes(groupId)),
    )
    return true
  })
}

/** Answers false when something still uses it: then PostgreSQL has ended the transaction. */
export async function remove(db: Db, id: string): Promise<boolean> {
  try {
    await db.deleteFrom('servers').where('id', '=', id).execute()
    return true
  } catch (error) {
    if (foreignKeyViolation(error)) return false
    throw error
  }
}

/**
 * As it is now, and stays until the transaction ends: a change or a removal of it waits. null when
 * there is none.
 */
export async function hold(trx: Db, id: string): Promise<ServerRecord | null> {
  await holdRow(trx, 'servers', id)
  return find(trx, id)
}

async function addAddresses(
  db: Db,
  id: string,
  { host, adapters }: Pick<ServerContent, 'host' | 'adapters'>,
): Promise<void> {
  const rows = addressesOf({ host, adapterIps: adapters }).map((address) => {
    return { server_id: id, address }
  })
  await db.insertInto('server_addresses').values(rows).execute()
}

async function addGroups(db: Db, id: string, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  const pairs = groupIds.map((groupId) => ({ server_id: id, group_id: groupId }))
  await db.insertInto('server_groups').values(pairs).execute()
}

function refusalsOf({ host, port }: Pick<ServerContent, 'host' | 'port'>): Refusals {
  return {
    unique: () => conflict(addressTaken(host, port), { field: 'port' }),
    foreignKey: () =>
      invalid('groupIds', 'names a group that does not exist. Choose groups from the list.'),
  }
}

function filtered(db: Db, { scope, type, search, groupId, address }: ServerFilter) {
  let query = db.selectFrom('servers')
  if (type !== 'all') query = query.where('server_type', '=', type)
  if (search.trim() !== '') query = query.where(matches('servers.search', search))
  if (address !== '') query = query.where((item) => isReachedAt(item, address))
  if (groupId !== '') query = query.where((item) => isInGroups(item, [groupId]))
  return scope === 'all' ? query : query.where((item) => isInGroups(item, scope))
}

function isReachedAt(eb: ExpressionBuilder<Database, 'servers'>, address: string) {
  const ids = eb
    .selectFrom('server_addresses')
    .select('server_addresses.server_id')
    .where('address', '=', address)
  return eb('servers.id', 'in', ids)
}

function isInGroups(eb: ExpressionBuilder<Database, 'servers'>, groupIds: readonly string[]) {
  // A list of its own, not asked for each row: ten thousand servers take milliseconds.
  const ids = eb
    .selectFrom('server_groups')
    .select('server_groups.server_id')
    .where('group_id', 'in', groupIds)
  return eb('servers.id', 'in', ids)
}

function columns(server: ServerContent) {
  return {
    title: server.title,
    title_key: titleKey(server.title),
    host: server.host,
    host_key: hostKeyOf(server.host),
    address_key: addressKey(server.host),
    port: server.port,
    server_type: server.serverType,
    api_key_sealed: server.apiKeySealed,
    description: server.description,
    location: server.location,
    adapters: encodeJson(server.adapters),
    search: searchText([server.title, server.host, server.description, server.location]),
  }
}

const Adapters = z.array(Adapter)

/** More ids than this are not spelled out: reading all pairs is cheaper, and SQLite limits variables. */
const SPELLED_OUT_LIMIT = 500

async function withGroups(db: Db, rows: ServerRow[]): Promise<ServerRecord[]> {
  if (rows.length === 0) return []
  let pairs = db
    .selectFrom('server_groups')
    .innerJoin('groups', 'groups.id', 'server_groups.group_id')
    .select(['server_groups.server_id as serverId', 'groups.id as _id', 'groups.title'])
  if (rows.length <= SPELLED_OUT_LIMIT) {
    const ids = rows.map((row) => row.id)
    pairs = pairs.where('server_groups.server_id', 'in', ids)
  }
  const groups = Map.groupBy(
    await pairs.orderBy('groups.created_at').orderBy('groups.id').execute(),
    (pair) => pair.serverId,
  )
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    host: row.host,
    hostKey: row.host_key,
    port: row.port,
    serverType: row.server_type,
    apiKeySealed: row.api_key_sealed,
    description: row.description,
    location: row.location,
    adapters: decodeJson(Adapters, row.adapters),
    version: row.version,
    createdAt: row.created_at,
    groups: (groups.get(row.id) ?? []).map(({ _id, title }) => ({ _id, title })),
  }))
}
