import type { Sort } from '@trunkline/contract/paging.schema'
import type { Role } from '@trunkline/contract/roles'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { API_TOKEN_SORTS } from '@trunkline/contract/users/api-token.calls'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'
import type { Insertable, Selectable } from 'kysely'
import { guarded } from '../../db/guarded.ts'
import { matches } from '../../db/matches.ts'
import type { Db } from '../../db/open.ts'
import { countRows, hasDeleted } from '../../db/queries/row-counts.ts'
import { listPage, orderOf, type AskedPage } from '../../db/page-rows.ts'
import { readByIds } from '../../db/read-by-ids.ts'
import type { Database } from '../../db/schema.ts'
import { searchText, titleKey } from '../../db/search.ts'
import { invalid } from '../../errors.ts'

type ApiTokenRow = Selectable<Database['api_tokens']>

/** Of a person, as their account was when it was made; or of a service. */
export type TokenOwner =
  | { kind: 'person'; userId: string; tokenVersion: number }
  | { kind: 'service'; role: Role; groups: GroupRef[] }

export interface StoredToken {
  id: string
  title: string
  start: string
  scope: TokenScope
  owner: TokenOwner
  createdAt: string
  createdBy: string
  expiresAt: string
  usedAt: string | null
  usedAddress: string
}

/** `hash`: SHA-256 of the whole token. Throws Invalid for a group that there is not. */
export async function insert(db: Db, token: StoredToken, hash: string): Promise<void> {
  const { owner } = token
  const isPerson = owner.kind === 'person'
  const row: Insertable<Database['api_tokens']> = {
    id: token.id,
    title: token.title,
    title_key: titleKey(token.title),
    search: searchText([token.title, token.start]),
    hash,
    start: token.start,
    scope: token.scope,
    user_id: isPerson ? owner.userId : null,
    token_version: isPerson ? owner.tokenVersion : null,
    role: isPerson ? null : owner.role,
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    used_at: token.usedAt,
    used_key: token.usedAt ?? '',
    used_address: token.usedAddress,
  }
  await db.insertInto('api_tokens').values(row).execute()
  if (isPerson || owner.groups.length === 0) return
  const groups = owner.groups.map(({ _id }) => ({ token_id: token.id, group_id: _id }))
  const gone = () => invalid('groupIds', 'has a group that is not there. Choose again.')
  await guarded({ foreignKey: gone }, async () =>
    db.insertInto('api_token_groups').values(groups).execute(),
  )
}

export async function find(db: Db, id: string): Promise<StoredToken | null> {
  const rows = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).execute()
  return (await withGroups(db, rows))[0] ?? null
}

export async function findByHash(db: Db, hash: string): Promise<StoredToken | null> {
  const rows = await db.selectFrom('api_tokens').selectAll().where('hash', '=', hash).execute()
  return (await withGroups(db, rows))[0] ?? null
}

/** Of that account as it is, the first to expire first. */
export async function listOf(
  db: Db,
  { id, tokenVersion }: { id: string; tokenVersion: number },
  since: string,
): Promise<StoredToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', id)
    .where('token_version', '=', tokenVersion)
    .where('expires_at', '>', since)
    .orderBy('expires_at')
    .orderBy('id')
    .execute()
  return withGroups(db, rows)
}

interface TokenFilter extends AskedPage {
  /** ISO: those that have expired before are left out. */
  since: string
  hasSuperadmins: boolean
  search: string
  sort: Sort<(typeof API_TOKEN_SORTS)[number]>
}

const BY_EXPIRY = ['api_tokens.expires_at', 'api_tokens.id']
const ORDERS = {
  title: ['api_tokens.title_key', 'api_tokens.id'],
  scope: ['api_tokens.scope', 'api_tokens.id'],
  used: ['api_tokens.used_key', 'api_tokens.id'],
  expires: BY_EXPIRY,
}

/** Of services, and of people whose account has not ended its tokens. */
export async function list(
  db: Db,
  { since, hasSuperadmins, search, sort, ...asked }: TokenFilter,
): Promise<{ tokens: StoredToken[]; total: number }> {
  const open = db
    .selectFrom('api_tokens')
    .leftJoin('users', 'users.id', 'api_tokens.user_id')
    .where('api_tokens.expires_at', '>', since)
    .where((row) =>
      row.or([
        row('api_tokens.user_id', 'is', null),
        row('users.token_version', '=', row.ref('api_tokens.token_version')),
      ]),
    )
  const found = search.trim() === '' ? open : open.where(matches('api_tokens.search', search))
  const matching = hasSuperadmins
    ? found
    : found.where((row) =>
        row.or([row('users.role', 'is', null), row('users.role', '!=', 'superadmin')]),
      )
  const { rows, total } = await listPage(
    {
      matching,
      rows: db.selectFrom('api_tokens').selectAll('api_tokens'),
      order: orderOf(sort, BY_EXPIRY, ORDERS),
    },
    asked,
  )
  return { tokens: await withGroups(db, rows), total }
}

/** Of a person, or of all services. */
export async function count(db: Db, userId: string | null): Promise<number> {
  const is = userId === null ? 'is' : '='
  return countRows(db.selectFrom('api_tokens').where('user_id', is, userId))
}

/** Answers false when it is gone already. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return hasDeleted(db.deleteFrom('api_tokens').where('id', '=', id))
}

/** What has expired before that moment. */
export async function removeExpired(db: Db, before: string): Promise<void> {
  await db.deleteFrom('api_tokens').where('expires_at', '<', before).execute()
}

/** A later use that another process has written stays. */
export async function touch(db: Db, id: string, usedAt: string, address: string): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ used_at: usedAt, used_key: usedAt, used_address: address })
    .where('id', '=', id)
    .where((row) => row.or([row('used_at', 'is', null), row('used_at', '<', usedAt)]))
    .execute()
}

async function withGroups(db: Db, rows: readonly ApiTokenRow[]): Promise<StoredToken[]> {
  const services = rows.filter((row) => row.user_id === null).map(({ id }) => id)
  const links = await readByIds(services, async (some) =>
    db
      .selectFrom('api_token_groups')
      .innerJoin('groups', 'groups.id', 'api_token_groups.group_id')
      .select(['token_id', 'groups.id', 'groups.title', 'groups.created_at'])
      .where('token_id', 'in', some)
      .orderBy('groups.created_at')
      .orderBy('groups.id')
      .execute(),
  )
  const groupsOf = Map.groupBy(links, (link) => link.token_id)
  return rows.map((row) => tokenOf(row, groupsOf.get(row.id) ?? []))
}

function tokenOf(row: ApiTokenRow, groups: readonly { id: string; title: string }[]): StoredToken {
  return {
    id: row.id,
    title: row.title,
    start: row.start,
    scope: row.scope,
    owner: ownerOf(row, groups),
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    usedAddress: row.used_address,
  }
}

function ownerOf(
  { user_id: userId, token_version: tokenVersion, role }: ApiTokenRow,
  groups: readonly { id: string; title: string }[],
): TokenOwner {
  if (userId !== null) return { kind: 'person', userId, tokenVersion: tokenVersion ?? 0 }
  const refs = groups.map(({ id, title }) => ({ _id: id, title }))
  return { kind: 'service', role: role ?? 'monitor', groups: refs }
}
