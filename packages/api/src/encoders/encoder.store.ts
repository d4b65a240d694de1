import { isDeepStrictEqual } from 'node:util'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { ENCODER_SORTS } from '@trunkline/contract/encoders/encoder.calls'
import { ALL_ROWS_LIMIT, type Sort } from '@trunkline/contract/paging.schema'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { sql } from 'kysely'
import type { z } from 'zod'
import { decodeFlag, decodeJson, encodeFlag, encodeJson } from '../db/codecs.ts'
import { guarded, type Refusals } from '../db/guarded.ts'
import { idList } from '../db/id-list.ts'
import type { Db } from '../db/open.ts'
import { listPage, orderOf, type AskedPage } from '../db/page-rows.ts'
import { prepared } from '../db/queries/prepared.ts'
import { readByIds } from '../db/read-by-ids.ts'
import { findText, idsMatching } from '../db/matches.ts'
import { addressKey, searchText, titleKey } from '../db/search.ts'
import { touchRow, updateVersioned } from '../db/versioned-row.ts'
import { conflict, invalid } from '../errors.ts'
import { mapInSlices } from '../in-slices.ts'
import { scoped } from './encoder-scope.store.ts'
import type { EncoderScope } from './encoder-scope.ts'

/** As stored: the feeders are rows of their own. */
export const StoredConfig = EncoderConfig.omit({ feeder: true })
export type StoredConfig = z.output<typeof StoredConfig>

export interface EncoderRecord {
  id: string
  name: string
  title: string
  description: string
  ip: string
  port: number
  location: string
  physicalAddress: string
  contactNumber: string
  email: string
  group: GroupRef
  /** Editors who may operate it. */
  userIds: string[]
  isEnabled: boolean
  wantedRunning: boolean
  apiKeySealed: string
  config: StoredConfig | null
  version: number
  createdAt: string
}

/** What a save may change; the rest of a record is not an operator's. */
export type EncoderContent = Pick<
  EncoderRecord,
  | 'title'
  | 'description'
  | 'ip'
  | 'port'
  | 'location'
  | 'physicalAddress'
  | 'contactNumber'
  | 'email'
  | 'apiKeySealed'
  | 'config'
> & { groupId: string }

export interface EncoderFilter extends AskedPage {
  scope: EncoderScope
  groupId: string
  search: string
  /** Only these; null for all. */
  ids: readonly string[] | null
  sort?: Sort<(typeof ENCODER_SORTS)[number]>
}

const ORDERS = {
  name: ['encoders.name', 'encoders.id'],
  title: ['encoders.title_key', 'encoders.id'],
  ip: ['encoders.address_key', 'encoders.port', 'encoders.id'],
  port: ['encoders.port', 'encoders.id'],
  email: ['encoders.email', 'encoders.id'],
}

export async function find(db: Db, id: string, scope: EncoderScope): Promise<EncoderRecord | null> {
  const { rows } = await rowsByIds(db, scope, [id])
  const [row] = rows
  return row === undefined ? null : toRecord(row, await usersOf(db, id))
}

/** In order of creation, unless it is sorted. */
export async function list(
  db: Db,
  filter: EncoderFilter,
): Promise<{ encoders: EncoderRecord[]; total: number }> {
  const { query, total: known } = await matching(db, filter)
  const { rows, total } = await listPage(
    {
      matching: query,
      total: known,
      rows: withGroup(db.selectFrom('encoders')),
      order: orderOf(filter.sort ?? '', ['encoders.created_at', 'encoders.id'], ORDERS),
    },
    filter,
  )
  return { encoders: await toRecords(db, rows), total }
}

/** Ids alone of those that match, on whatever page; no more than 'all' means. */
export async function listIds(
  db: Db,
  filter: Omit<EncoderFilter, keyof AskedPage>,
): Promise<string[]> {
  const { query } = await matching(db, filter)
  const rows = await query.clearSelect().select('encoders.id as id').limit(ALL_ROWS_LIMIT).execute()
  return rows.map(({ id }) => id)
}

/** In the order of the ids; those that are gone, or not in this scope, are left out. */
export async function listByIds(
  db: Db,
  ids: readonly string[],
  scope: EncoderScope,
): Promise<EncoderRecord[]> {
  const rows = await readByIds(ids, async (some) => (await rowsByIds(db, scope, some)).rows)
  const records = new Map((await toRecords(db, rows)).map((record) => [record.id, record]))
  return ids.flatMap((id) => records.get(id) ?? [])
}

/** In order of creation, the first `limit` behind this one: none is met twice, whatever comes or goes. */
export async function listBehind(
  db: Db,
  filter: EncoderFilter,
  { createdAt, id }: Pick<EncoderRecord, 'createdAt' | 'id'>,
  limit: number,
): Promise<EncoderRecord[]> {
  const { query } = await matching(db, filter)
  const rows = await withGroup(query)
    .where(sql<boolean>`(encoders.created_at, encoders.id) > (${createdAt}, ${id})`)
    .orderBy('encoders.created_at')
    .orderBy('encoders.id')
    .limit(limit)
    .execute()
  return toRecords(db, rows)
}

/** `total`: where it is known without counting. */
async function matching(db: Db, filter: Omit<EncoderFilter, keyof AskedPage>) {
  let wanted = scoped(db, filter.scope)
  if (filter.groupId !== '') wanted = wanted.where('encoders.group_id', '=', filter.groupId)
  if (filter.ids !== null) wanted = wanted.where('encoders.id', 'in', idList(filter.ids))
  const search = filter.search.trim()
  if (search === '') return { query: wanted, total: null }
  const isWhole = filter.scope.by === 'all' && filter.groupId === '' && filter.ids === null
  const found = await findText(db, 'encoders', search, { isWhole })
  const groupIds = await idsMatching(db, 'groups', search)
  const query = wanted.where((eb) =>
    groupIds.length === 0
      ? found.where
      : eb.or([found.where, eb('encoders.group_id', 'in', groupIds)]),
  )
  return { query, total: groupIds.length === 0 ? found.total : null }
}

/** What a record is made of, for those that `encoders` has. */
function withGroup(encoders: ReturnType<typeof scoped>) {
  return encoders
    .innerJoin('groups', 'groups.id', 'encoders.group_id')
    .select(['encoders.id', 'encoders.name', 'encoders.title', 'encoders.description'])
    .select(['encoders.ip', 'encoders.port', 'encoders.location', 'encoders.physical_address'])
    .select(['encoders.contact_number', 'encoders.email', 'encoders.group_id', 'encoders.config'])
    .select(['encoders.api_key_sealed', 'encoders.is_enabled', 'encoders.wanted_running'])
    .select(['encoders.version', 'encoders.created_at', 'groups.title as group_title'])
}

/** As `scoped`: each kind of scope has a query of its own. */
async function rowsByIds(db: Db, scope: EncoderScope, ids: readonly string[]) {
  switch (scope.by) {
    case 'all':
      return rowsOfAll(db, { ids })
    case 'groups':
      return rowsOfGroups(db, { ids, groupIds: scope.groupIds })
    case 'editor':
      return rowsOfEditor(db, { ids, userId: scope.userId })
  }
}

const rowsOfAll = prepared((db, { ids }: { ids: readonly string[] }) =>
  withGroup(scoped(db, { by: 'all' })).where('encoders.id', 'in', ids),
)
const rowsOfGroups = prepared(
  (db, { ids, groupIds }: { ids: readonly string[]; groupIds: readonly string[] }) =>
    withGroup(scoped(db, { by: 'groups', groupIds })).where('encoders.id', 'in', ids),
)
const rowsOfEditor = prepared((db, { ids, userId }: { ids: readonly string[]; userId: string }) =>
  withGroup(scoped(db, { by: 'editor', userId })).where('encoders.id', 'in', ids),
)

type Row = Awaited<ReturnType<ReturnType<typeof withGroup>['execute']>>[number]

/** Those that have a configuration, in order of their ids, the first `limit` behind this one; '' for the first. */
export async function listConfigured(
  db: Db,
  behindId: string,
  limit: number,
): Promise<EncoderRecord[]> {
  const rows = await withGroup(db.selectFrom('encoders'))
    .where('encoders.id', '>', behindId)
    .where('encoders.config', 'is not', null)
    .orderBy('encoders.id')
    .limit(limit)
    .execute()
  return toRecords(db, rows)
}

/** Where an encoder is, for reads that come often; null when there is none in this scope. */
export async function findPlace(
  db: Db,
  id: string,
  scope: EncoderScope,
): Promise<{ ip: string; port: number } | null> {
  const row = await scoped(db, scope)
    .select(['encoders.ip as ip', 'encoders.port as port'])
    .where('encoders.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function insert(
  db: Db,
  encoder: Omit<EncoderRecord, 'group' | 'userIds'> & { groupId: string },
): Promise<void> {
  const { id, name, isEnabled, wantedRunning, version, createdAt } = encoder
  await guarded(REFUSALS, async () =>
    db
      .insertInto('encoders')
      .values({
        id,
        name,
        is_enabled: encodeFlag(isEnabled),
        wanted_running: encodeFlag(wantedRunning),
        version,
        created_at: createdAt,
        ...columns(name, encoder),
      })
      .execute(),
  )
}

/** `encoder`: as it was read. Answers false when somebody else has changed it since. */
export async function update(
  db: Db,
  encoder: Pick<EncoderRecord, 'id' | 'name' | 'version'> & EncoderContent,
  content: EncoderContent,
): Promise<boolean> {
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'encoders', encoder, changedColumns(encoder, content)),
  )
}

/** A change of what belongs to it, such as its feeders, is a change of the encoder. */
export async function bumpVersion(
  db: Db,
  encoder: Pick<EncoderRecord, 'id' | 'version'>,
): Promise<boolean> {
  return updateVersioned(db, 'encoders', encoder, {})
}

/** As `bumpVersion`, whatever the version. Answers false when it is gone. */
export async function touch(db: Db, id: string): Promise<boolean> {
  return touchRow(db, 'encoders', id)
}

/** Nothing is wanted of it then, and its card is free. Answers false when somebody has changed it since. */
export async function clearConfig(
  db: Db,
  encoder: Pick<EncoderRecord, 'id' | 'version'>,
): Promise<boolean> {
  const cleared = { config: null, card_idx: null, wanted_running: encodeFlag(false) }
  return updateVersioned(db, 'encoders', encoder, cleared)
}

/** Its assignments go with it. Answers false when it is gone already; Conflict, as `inUse` says, while it has feeders. */
export async function remove(db: Db, id: string, inUse: string): Promise<boolean> {
  const { numDeletedRows } = await guarded({ foreignKey: () => conflict(inUse) }, async () =>
    db.deleteFrom('encoders').where('id', '=', id).executeTakeFirst(),
  )
  return numDeletedRows > 0n
}

export async function setUsers(db: Db, id: string, userIds: readonly string[]): Promise<void> {
  await db.deleteFrom('encoder_users').where('encoder_id', '=', id).execute()
  if (userIds.length === 0) return
  await db
    .insertInto('encoder_users')
    .values(userIds.map((userId) => ({ encoder_id: id, user_id: userId })))
    .execute()
}

function columns(name: string, content: EncoderContent) {
  const { title, description, location, email, config } = content
  return {
    title,
    title_key: titleKey(title),
    description,
    ip: hostKeyOf(content.ip),
    address_key: addressKey(content.ip),
    port: content.port,
    location,
    physical_address: content.physicalAddress,
    contact_number: content.contactNumber,
    email,
    group_id: content.groupId,
    api_key_sealed: content.apiKeySealed,
    config: config === null ? null : encodeJson(config),
    card_idx: config?.['card-idx'] ?? null,
    search: searchText([name, title, content.ip, email, location, description]),
  }
}

/** A column that is written as it was has its indexes written anew all the same: most of what a save would write. */
function changedColumns(
  before: Pick<EncoderRecord, 'name'> & EncoderContent,
  content: EncoderContent,
): Partial<ReturnType<typeof columns>> {
  const fields = Object.keys(content) as (keyof EncoderContent)[]
  if (fields.every((field) => isDeepStrictEqual(content[field], before[field]))) return {}
  const was = Object.entries(columns(before.name, before))
  const now = columns(before.name, content)
  const same = new Set(
    was.flatMap(([column, value]) => (value === now[column as keyof typeof now] ? [column] : [])),
  )
  return Object.fromEntries(Object.entries(now).filter(([column]) => !same.has(column)))
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict(
      'Another encoder of this host uses this card. Choose another card index, or another host or port.',
      { field: 'config.card-idx' },
    ),
  foreignKey: () =>
    invalid('groupId', 'names a group that does not exist. Choose a group from the list.'),
}

async function toRecords(db: Db, rows: readonly Row[]): Promise<EncoderRecord[]> {
  const ids = rows.map((row) => row.id)
  const pairs = await readByIds(ids, async (some) => (await assigned(db, { ids: some })).rows)
  const users = Map.groupBy(pairs, (pair) => pair.encoder_id)
  return mapInSlices(rows, (row) =>
    toRecord(
      row,
      (users.get(row.id) ?? []).map((pair) => pair.user_id),
    ),
  )
}

async function usersOf(db: Db, id: string): Promise<string[]> {
  const { rows } = await assigned(db, { ids: [id] })
  return rows.map((pair) => pair.user_id)
}

const assigned = prepared((db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('encoder_users').select(['encoder_id', 'user_id']).where('encoder_id', 'in', ids),
)

function toRecord(row: Row, userIds: readonly string[]): EncoderRecord {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    ip: row.ip,
    port: row.port,
    location: row.location,
    physicalAddress: row.physical_address,
    contactNumber: row.contact_number,
    email: row.email,
    group: { _id: row.group_id, title: row.group_title },
    userIds: userIds.toSorted(),
    isEnabled: decodeFlag(row.is_enabled),
    wantedRunning: decodeFlag(row.wanted_running),
    apiKeySealed: row.api_key_sealed,
    config: row.config === null ? null : decodeJson(StoredConfig, row.config),
    version: row.version,
    createdAt: row.created_at,
  }
}
