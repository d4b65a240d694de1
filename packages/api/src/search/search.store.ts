/**
 * Which objects match, kind by kind: one query each, by the index of texts, the primary key and the
 * indexes of ports, so that its cost does not grow with the site.
 */
import type { FoundKind } from '@trunkline/contract/search/found-key.rules'
import { bestFirst, type Candidate } from '@trunkline/contract/search/rank.rules'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { idList } from '../db/id-list.ts'
import { findText, INDEXED_CHARACTERS, matches, type IndexedTable } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { foldCase } from '../db/search.ts'
import { scoped as scopedEncoders } from '../encoders/encoder-scope.store.ts'
import type { EncoderScope } from '../encoders/encoder-scope.ts'
import type { GroupScope } from '../security/actor.ts'
import type { UserScope } from '../users/user-scope.ts'
import { scoped as scopedUsers } from '../users/user.store.ts'
import type { Asked } from './asked.rules.ts'

export interface Wanted extends Asked {
  /** Objects of this kind by their ids, whatever was typed. */
  ids: readonly string[]
}

export interface SearchScope {
  groups: GroupScope
  /** With '' for those of all groups. */
  templates: GroupScope
  encoders: EncoderScope
  users: UserScope
}

/** So many are looked at for the best of them. */
const MOST_CANDIDATES = 200

/** Of this kind and in the scope, the best match first; of very many that match, some. */
export async function find(
  db: Db,
  kind: FoundKind,
  wanted: Wanted,
  scope: SearchScope,
): Promise<Candidate[]> {
  const match = await matchOf(db, kind, wanted)
  if (match === null) return []
  return bestFirst(foldCase(wanted.text), await KINDS[kind].read(db, scope, match))
}

interface Match {
  where: RawBuilder<SqlBool>
  /**
   * Of the whole site more match than are worth looking up one by one: those in the scope are found
   * sooner among what the scope has.
   */
  isMany: boolean
}

interface SearchedKind {
  table: IndexedTable | 'servers' | 'groups' | 'encoder_templates'
  /** Where a port of it stands; null where it has none. */
  port: ((port: number) => RawBuilder<SqlBool>) | null
  /** Those in the scope that match. */
  read: (db: Db, scope: SearchScope, match: Match) => Promise<Candidate[]>
}

/** Null where nothing can match. */
async function matchOf(db: Db, kind: FoundKind, wanted: Wanted): Promise<Match | null> {
  const { table, port } = KINDS[kind]
  const id = sql.ref(`${table}.id`)
  const ids = wanted.text === '' ? wanted.ids : [...wanted.ids, wanted.text]
  const terms: RawBuilder<SqlBool>[] = []
  if (ids.length > 0) terms.push(sql<SqlBool>`${id} in (${sql.join(ids)})`)
  const found = await textMatch(db, table, wanted.text)
  if (found !== null) terms.push(found.where)
  let isMany = found?.isMany ?? false
  if (port !== null && wanted.port !== null) {
    const term = port(wanted.port)
    terms.push(term)
    isMany ||= await hasMany(db, table, term)
  }
  if (port !== null && wanted.place !== null) {
    const address = await textMatch(db, table, wanted.place.address)
    if (address !== null)
      terms.push(sql<SqlBool>`(${address.where} and ${port(wanted.place.port)})`)
    isMany ||= address?.isMany ?? false
  }
  if (terms.length === 0) return null
  const where = sql<SqlBool>`(${sql.join(terms, sql` or `)})`
  // As a value, so that no index is used for it but the index of the scope.
  return { where: isMany ? sql<SqlBool>`${where} is true` : where, isMany }
}

/** Null for a text too short for the index, and for what nothing has. */
async function textMatch(
  db: Db,
  table: SearchedKind['table'],
  text: string,
): Promise<Match | null> {
  if (Array.from(foldCase(text)).length < INDEXED_CHARACTERS) return null
  if (table === 'servers' || table === 'groups' || table === 'encoder_templates')
    return { where: matches(`${table}.search`, text), isMany: false }
  const { where, total, isByIds } = await findText(db, table, text, { isWhole: false })
  return total === 0 ? null : { where, isMany: !isByIds }
}

async function hasMany(
  db: Db,
  table: SearchedKind['table'],
  where: RawBuilder<SqlBool>,
): Promise<boolean> {
  const some = sql`select 1 from ${sql.table(table)} where ${where} limit ${MOST_CANDIDATES + 1}`
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from (${some}) as few`.execute(db)
  return Number(rows[0]?.rows ?? 0) > MOST_CANDIDATES
}

/** By the ports that it has on a host, and by the port that it calls. */
function linkPort(kind: 'input' | 'output') {
  const [id, calls] = [sql.ref(`${kind}s.id`), sql.ref(`${kind}s.calls_port`)]
  return (port: number) => {
    const claimed = sql`select owner_id from port_claims where port = ${port} and owner_kind = ${kind}`
    return sql<SqlBool>`(${calls} = ${port} or ${id} in (${claimed}))`
  }
}

function columnPort(column: string) {
  return (port: number) => sql<SqlBool>`${sql.ref(column)} = ${port}`
}

const KINDS: Readonly<Record<FoundKind, SearchedKind>> = {
  encoder: {
    table: 'encoders',
    port: columnPort('encoders.port'),
    read: async (db, { encoders }, match) =>
      scopedEncoders(db, encoders)
        .select(['encoders.id as id', 'encoders.search as search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
        .execute(),
  },
  feeder: {
    table: 'feeders',
    port: columnPort('feeders.calls_port'),
    read: async (db, { encoders }, match) => {
      const feeders = db
        .selectFrom('feeders')
        .select(['feeders.id as id', 'feeders.search as search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
      if (encoders.by === 'all') return feeders.execute()
      const owners = scopedEncoders(db, encoders).select('encoders.id')
      if (match.isMany) return feeders.where('feeders.encoder_id', 'in', owners).execute()
      const owner = owners.where(sql<SqlBool>`encoders.id = feeders.encoder_id`)
      return feeders.where((eb) => eb.exists(owner)).execute()
    },
  },
  input: {
    table: 'inputs',
    port: (port) => sql<SqlBool>`(inputs.port = ${port} or ${linkPort('input')(port)})`,
    read: async (db, { groups }, match) => {
      const inputs = db.selectFrom('inputs').select(['id', 'search']).where(match.where)
      const seen = groups === 'all' ? inputs : inputs.where('group_id', 'in', idList(groups))
      return seen.limit(MOST_CANDIDATES).execute()
    },
  },
  output: {
    table: 'outputs',
    port: linkPort('output'),
    read: async (db, { groups }, match) => {
      const outputs = db
        .selectFrom('outputs')
        .select(['outputs.id as id', 'outputs.search as search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
      if (groups === 'all') return outputs.execute()
      const inputs = db
        .selectFrom('inputs')
        .select('inputs.id')
        .where('inputs.group_id', 'in', idList(groups))
      if (match.isMany) return outputs.where('outputs.input_id', 'in', inputs).execute()
      const input = inputs.where(sql<SqlBool>`inputs.id = outputs.input_id`)
      return outputs.where((eb) => eb.exists(input)).execute()
    },
  },
  channel: {
    table: 'channels',
    port: null,
    read: async (db, { groups }, match) => {
      const channels = db
        .selectFrom('channels')
        .select(['channels.id as id', 'channels.search as search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
      if (groups === 'all') return channels.execute()
      const shared = db
        .selectFrom('channel_groups')
        .select('channel_groups.channel_id')
        .where('channel_groups.group_id', 'in', idList(groups))
      if (match.isMany) return channels.where('channels.id', 'in', shared).execute()
      const its = shared.where(sql<SqlBool>`channel_groups.channel_id = channels.id`)
      return channels.where((eb) => eb.exists(its)).execute()
    },
  },
  destination: {
    table: 'destinations',
    port: null,
    read: async (db, { groups }, match) => {
      const far = db.selectFrom('destinations').select(['id', 'search']).where(match.where)
      const seen = groups === 'all' ? far : far.where('group_id', 'in', idList(groups))
      return seen.limit(MOST_CANDIDATES).execute()
    },
  },
  template: {
    table: 'encoder_templates',
    port: null,
    read: async (db, { templates }, match) => {
      const all = db.selectFrom('encoder_templates').select(['id', 'search']).where(match.where)
      const seen = templates === 'all' ? all : all.where('group_id', 'in', idList(templates))
      return seen.limit(MOST_CANDIDATES).execute()
    },
  },
  // Only who sees all of them looks for these two.
  server: {
    table: 'servers',
    port: columnPort('servers.port'),
    read: async (db, _, match) =>
      db
        .selectFrom('servers')
        .select(['id', 'search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
        .execute(),
  },
  group: {
    table: 'groups',
    port: null,
    read: async (db, _, match) =>
      db
        .selectFrom('groups')
        .select(['id', 'search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
        .execute(),
  },
  user: {
    table: 'users',
    port: null,
    read: async (db, { users }, match) =>
      scopedUsers(db, users)
        .select(['users.id as id', 'users.search as search'])
        .where(match.where)
        .limit(MOST_CANDIDATES)
        .execute(),
  },
}

/** What is shown of the kinds that nothing is commanded of, by id. */
export async function placesOf(
  db: Db,
  ids: Readonly<Record<'destination' | 'server' | 'group' | 'user', readonly string[]>>,
) {
  return {
    destinations: await db
      .selectFrom('destinations')
      .select(['id', 'title', 'ip'])
      .where('id', 'in', idList(ids.destination))
      .execute(),
    servers: await db
      .selectFrom('servers')
      .select(['id', 'title', 'host', 'port', 'server_type as serverType'])
      .where('id', 'in', idList(ids.server))
      .execute(),
    groups: await db
      .selectFrom('groups')
      .select(['id', 'title'])
      .where('id', 'in', idList(ids.group))
      .execute(),
    users: await db
      .selectFrom('users')
      .select(['id', 'first_name as firstName', 'last_name as lastName', 'email'])
      .where('id', 'in', idList(ids.user))
      .execute(),
  }
}

/** Of these feeders the encoders that have them. */
export async function encodersOfFeeders(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; encoderId: string }[]> {
  return db
    .selectFrom('feeders')
    .select(['id', 'encoder_id as encoderId'])
    .where('id', 'in', idList(ids))
    .execute()
}
