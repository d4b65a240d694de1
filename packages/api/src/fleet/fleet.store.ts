/** Which hosts and channels there are; the fleet holds them in memory, and reads what has changed. */
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { giveWay, inPartsById, mapInSlices } from '../in-slices.ts'
import { prepared } from '../db/queries/prepared.ts'
import { readByIds } from '../db/read-by-ids.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import type { SomeRecords } from '../hosts/host-records.ts'
import { baseUrlOf } from '../stream-servers/media-server.ts'
import type { ChannelRef } from './streams/stream-board.ts'

/** Some milliseconds, with what is told of them. */
const ROWS_AT_ONCE = 250

type Open = (sealed: string) => string

/** Encoders or servers that are named. `open` unseals an API key. */
export async function listHostRecords(
  db: Db,
  open: Open,
  filter: SomeRecords,
): Promise<HostRecord[]> {
  const encoders = filter.by === 'server' ? [] : await encoderRowsOf(db, filter)
  const servers = filter.by === 'encoder' ? [] : await serverRows(db, filter).execute()
  return [
    ...(await toEncoderRecords(db, open, encoders)),
    ...(await toServerRecords(db, open, servers)),
  ]
}

/** Servers come after encoders, both in order of creation; others have their turn between the parts. */
export async function* allHostRecords(db: Db, open: Open): AsyncGenerator<HostRecord[]> {
  const encoders = inParts(async (behind) =>
    encoderRows(db).where(isBehind(behind)).limit(ROWS_AT_ONCE).execute(),
  )
  for await (const rows of encoders) yield toEncoderRecords(db, open, rows)
  const servers = inParts(async (behind) =>
    serverRows(db).where(isBehind(behind)).limit(ROWS_AT_ONCE).execute(),
  )
  for await (const rows of servers) yield toServerRecords(db, open, rows)
}

interface Place {
  id: string
  created_at: string
}

const FIRST: Place = { id: '', created_at: '' }

async function* inParts<T extends Place>(
  read: (behind: Place) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let behind = FIRST; ;) {
    const rows = await read(behind)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    behind = last
    await giveWay()
  }
}

function isBehind({ id, created_at }: Place) {
  return sql<boolean>`(created_at, id) > (${created_at}, ${id})`
}

async function encoderRowsOf(db: Db, filter: SomeRecords) {
  if (filter.by !== 'encoder') return encoderRows(db, filter).execute()
  return (await encoderRow(db, { id: filter.id })).rows
}

const encoderRow = prepared((db, { id }: { id: string }) => encoderRows(db, { by: 'encoder', id }))

function encoderRows(db: Db, filter?: SomeRecords) {
  let wanted = db
    .selectFrom('encoders')
    .select(['id', 'ip', 'port', 'group_id', 'api_key_sealed', 'created_at'])
  if (filter?.by === 'encoder') wanted = wanted.where('id', '=', filter.id)
  if (filter?.by === 'address') {
    wanted = wanted.where('ip', '=', filter.address.host).where('port', '=', filter.address.port)
  }
  return wanted.orderBy('created_at').orderBy('id')
}

function serverRows(db: Db, filter?: SomeRecords) {
  let wanted = db
    .selectFrom('servers')
    .select(['id', 'host', 'port', 'server_type', 'api_key_sealed', 'created_at'])
  if (filter?.by === 'server') wanted = wanted.where('id', '=', filter.id)
  if (filter?.by === 'address') {
    const { host, port } = filter.address
    wanted = wanted.where('host_key', '=', host).where('port', '=', port)
  }
  return wanted.orderBy('created_at').orderBy('id')
}

async function toEncoderRecords(
  db: Db,
  open: Open,
  rows: readonly Awaited<ReturnType<ReturnType<typeof encoderRows>['execute']>>[number][],
): Promise<HostRecord[]> {
  const pairs = await readByIds(
    idsOf(rows),
    async (some) => (await assigned(db, { ids: some })).rows,
    ROWS_AT_ONCE,
  )
  const editors = Map.groupBy(pairs, (pair) => pair.encoder_id)
  return mapInSlices(rows, (row) => ({
    id: row.id,
    kind: 'encoder',
    answerer: 'agent',
    address: { host: hostKeyOf(row.ip), port: row.port },
    baseUrl: baseUrlOf(row.ip, row.port),
    apiKey: open(row.api_key_sealed),
    groupIds: [row.group_id],
    editorIds: (editors.get(row.id) ?? []).map((pair) => pair.user_id),
    createdAtMs: Date.parse(row.created_at),
  }))
}

const assigned = prepared((db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('encoder_users').select(['encoder_id', 'user_id']).where('encoder_id', 'in', ids),
)

async function toServerRecords(
  db: Db,
  open: Open,
  rows: readonly Awaited<ReturnType<ReturnType<typeof serverRows>['execute']>>[number][],
): Promise<HostRecord[]> {
  const seen = db.selectFrom('server_groups').selectAll()
  const pairs = await readByIds(
    idsOf(rows),
    async (some) => seen.where('server_id', 'in', some).execute(),
    ROWS_AT_ONCE,
  )
  const groups = Map.groupBy(pairs, (pair) => pair.server_id)
  return mapInSlices(rows, (row) => ({
    id: row.id,
    kind: 'server',
    answerer: row.server_type === 'acants' ? 'agent' : 'media server',
    address: { host: hostKeyOf(row.host), port: row.port },
    baseUrl: baseUrlOf(row.host, row.port),
    apiKey: open(row.api_key_sealed),
    groupIds: (groups.get(row.id) ?? []).map((pair) => pair.group_id),
    editorIds: [],
    createdAtMs: Date.parse(row.created_at),
  }))
}

/** All channels, part by part. */
export async function* allChannels(db: Db): AsyncGenerator<ChannelRef[]> {
  const parts = inPartsById(
    async (behindId, limit) =>
      channelRows(db).where('id', '>', behindId).orderBy('id').limit(limit).execute(),
    ROWS_AT_ONCE,
  )
  for await (const rows of parts) yield toChannelRefs(db, rows)
}

/** Channels of these ids. */
export async function listChannels(db: Db, ids: readonly string[]): Promise<ChannelRef[]> {
  const rows = await readByIds(ids, async (some) =>
    channelRows(db).where('id', 'in', some).execute(),
  )
  return toChannelRefs(db, rows)
}

function channelRows(db: Db) {
  return db.selectFrom('channels').select(['id', 'server_id', 'name'])
}

async function toChannelRefs(
  db: Db,
  channels: readonly { id: string; server_id: string; name: string }[],
): Promise<ChannelRef[]> {
  const seen = db.selectFrom('channel_groups').selectAll()
  const pairs = await readByIds(
    idsOf(channels),
    async (some) => seen.where('channel_id', 'in', some).execute(),
    ROWS_AT_ONCE,
  )
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
