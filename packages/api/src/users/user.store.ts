import { ChosenLanguage, ChosenTimes, type Times } from '@trunkline/contract/session/display.schema'
import type { Language } from '@trunkline/contract/session/language.rules'
import type { USER_SORTS } from '@trunkline/contract/users/user.calls'
import type { Sort } from '@trunkline/contract/paging.schema'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import type { Role } from '@trunkline/contract/roles'
import { sql, type ExpressionBuilder } from 'kysely'
import { decodeFlag, encodeFlag } from '../db/codecs.ts'
import { guarded, type Refusals } from '../db/guarded.ts'
import { findText } from '../db/matches.ts'
import type { Db } from '../db/open.ts'
import { listPage, orderOf, type AskedPage } from '../db/page-rows.ts'
import { readByIds } from '../db/read-by-ids.ts'
import { searchText } from '../db/search.ts'
import type { Database, UserRow } from '../db/schema.ts'
import { updateVersioned } from '../db/versioned-row.ts'
import { conflict } from '../errors.ts'
import * as membershipStore from './membership.store.ts'
import type { UserScope } from './user-scope.ts'

/** Who somebody is to the sign-in provider; the pair never changes, unlike their address. */
export interface ProviderIdentity {
  issuer: string
  subject: string
}

export interface UserRecord {
  id: string
  firstName: string
  lastName: string
  email: string
  role: Role
  passwordHash: string
  /** A token of an older version is revoked. */
  tokenVersion: number
  version: number
  createdAt: string
  /** False for a new user. */
  asksBeforeInterrupting: boolean
  /** Of the console; null until they choose: as the browser has it. */
  language: Language | null
  times: Times | null
  /** Managed or belonging to, in order of creation. */
  groups: GroupRef[]
  /** These and the groups of the encoders assigned to them, in no order; never cut to a scope. */
  everyGroupIds: string[]
  /** Null: a local account, which signs in by password. */
  provider: ProviderIdentity | null
}

/** What a save may change; `passwordHash` null keeps the password. */
export type UserContent = Pick<UserRecord, 'firstName' | 'lastName' | 'email' | 'role'> &
  OwnSettings & {
    passwordHash: string | null
  }

/** What only the person decides. */
export type OwnSettings = Pick<UserRecord, 'asksBeforeInterrupting' | 'language' | 'times'>

export function ownSettingsOf({
  asksBeforeInterrupting,
  language,
  times,
}: OwnSettings): OwnSettings {
  return { asksBeforeInterrupting, language, times }
}

export interface UserFilter extends AskedPage {
  scope: UserScope
  /** '' means any. */
  groupId: string
  role: Role | ''
  search: string
  sort?: Sort<(typeof USER_SORTS)[number]>
}

/** The search text begins with the full name. */
const BY_NAME = ['users.search', 'users.id']
const ORDERS = {
  name: BY_NAME,
  email: ['users.email', 'users.id'],
  role: ['users.role', 'users.search', 'users.id'],
}

export async function find(db: Db, id: string): Promise<UserRecord | null> {
  const rows = await db.selectFrom('users').selectAll().where('id', '=', id).execute()
  return (await toRecords(db, rows, { by: 'all' }))[0] ?? null
}

/** `email` in lower case. */
export async function findByEmail(db: Db, email: string): Promise<UserRecord | null> {
  const rows = await db.selectFrom('users').selectAll().where('email', '=', email).execute()
  return (await toRecords(db, rows, { by: 'all' }))[0] ?? null
}

export async function findByProvider(
  db: Db,
  { issuer, subject }: ProviderIdentity,
): Promise<UserRecord | null> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('provider_issuer', '=', issuer)
    .where('provider_subject', '=', subject)
    .execute()
  return (await toRecords(db, rows, { by: 'all' }))[0] ?? null
}

/** What an object shows of the person that it belongs to. */
export type Owner = Pick<UserRecord, 'id' | 'firstName' | 'lastName' | 'role'>

/** By their ids; whoever is gone is left out. */
export async function ownersOf(db: Db, ids: readonly string[]): Promise<Map<string, Owner>> {
  const rows = await readByIds([...new Set(ids)], async (some) =>
    db
      .selectFrom('users')
      .select(['id', 'first_name as firstName', 'last_name as lastName', 'role'])
      .where('id', 'in', some)
      .execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}

/** In order of full name, unless it is sorted otherwise. Their groups are cut to the scope too. */
export async function list(
  db: Db,
  filter: UserFilter,
): Promise<{ users: UserRecord[]; total: number }> {
  const { scope, groupId, role } = filter
  // A group outside the scope is not looked for, not even for people who share another one.
  if (groupId !== '' && scope.by === 'groups' && !scope.groupIds.includes(groupId)) {
    return { users: [], total: 0 }
  }
  let wanted = scoped(db, scope)
  if (groupId !== '') wanted = wanted.where((eb) => eb.or(ofGroups(eb, [groupId])))
  if (role !== '') wanted = wanted.where('users.role', '=', role)
  let known: number | null = null
  if (filter.search.trim() !== '') {
    const isWhole = scope.by === 'all' && groupId + role === ''
    const found = await findText(db, 'users', filter.search, { isWhole })
    wanted = wanted.where(found.where)
    known = found.total
  }
  const all = db.selectFrom('users').selectAll('users')
  const order = orderOf(filter.sort ?? '', BY_NAME, ORDERS)
  const { rows, total } = await listPage(
    { matching: wanted, total: known, rows: all, order },
    filter,
  )
  return { users: await toRecords(db, rows, scope), total }
}

export type NewUserRecord = Omit<
  UserRecord,
  'groups' | 'everyGroupIds' | 'provider' | keyof OwnSettings
> & { provider?: ProviderIdentity | null }

/** Memberships are written by membership.store.ts. Conflict when the e-mail is in use. */
export async function insert(db: Db, user: NewUserRecord): Promise<void> {
  const values = {
    id: user.id,
    ...namesOf(user),
    role: user.role,
    password_hash: user.passwordHash,
    token_version: user.tokenVersion,
    asks_before_interrupting: encodeFlag(false),
    language: null,
    times: null,
    version: user.version,
    created_at: user.createdAt,
    provider_issuer: user.provider?.issuer ?? null,
    provider_subject: user.provider?.subject ?? null,
  }
  await guarded(REFUSALS, async () => db.insertInto('users').values(values).execute())
}

/**
 * Answers false when somebody else has saved this user since `read`. A new role or password revokes
 * every token signed before. Conflict when the e-mail is in use.
 */
export async function update(
  db: Db,
  read: Pick<UserRecord, 'id' | 'role' | 'version'>,
  content: UserContent,
): Promise<boolean> {
  const { role, passwordHash } = content
  const isRevoking = role !== read.role || passwordHash !== null
  return guarded(REFUSALS, async () =>
    updateVersioned(db, 'users', read, {
      ...namesOf(content),
      role,
      asks_before_interrupting: encodeFlag(content.asksBeforeInterrupting),
      language: content.language,
      times: content.times,
      ...(passwordHash === null ? {} : { password_hash: passwordHash }),
      ...(isRevoking ? { token_version: sql<number>`token_version + 1` } : {}),
    }),
  )
}

/** Their assignments to encoders go with them. Leave the groups first, for their versions' sake. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Answers false when the user is gone. Every token signed before is revoked by it. */
export async function setPassword(db: Db, id: string, passwordHash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({
      password_hash: passwordHash,
      token_version: row('token_version', '+', 1),
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Every token signed before is revoked by it; the record itself stays as it is. */
export async function revokeTokens(db: Db, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ token_version: row('token_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** The search text begins with the full name: lists are ordered by it. */
function namesOf(user: Pick<UserRecord, 'firstName' | 'lastName' | 'email'>) {
  const { firstName, lastName, email } = user
  const search = searchText([`${firstName} ${lastName}`, email])
  return { first_name: firstName, last_name: lastName, email, search }
}

const REFUSALS: Refusals = {
  unique: () =>
    conflict('This e-mail address is in use by another user. Use another address.', {
      field: 'email',
    }),
}

/** The people whom somebody may see, as the beginning of a query. */
export function scoped(db: Db, scope: UserScope) {
  const users = db.selectFrom('users')
  switch (scope.by) {
    case 'all':
      return users
    case 'notAbove':
      return users.where('users.role', '!=', 'superadmin')
    case 'groups':
      return users.where((eb) =>
        eb.or([eb('users.id', '=', scope.userId), ...ofGroups(eb, scope.groupIds)]),
      )
  }
}

/** Alternatives: belonging to one of these groups, managing one of them. */
function ofGroups(eb: ExpressionBuilder<Database, 'users'>, groupIds: readonly string[]) {
  if (groupIds.length === 0) return []
  const belonging = eb.selectFrom('group_users').select('user_id')
  const managing = eb.selectFrom('groups').select('manager_id')
  return [
    eb('users.id', 'in', belonging.where('group_id', 'in', groupIds)),
    eb('users.id', 'in', managing.where('groups.id', 'in', groupIds)),
  ]
}

async function toRecords(
  db: Db,
  rows: readonly UserRow[],
  scope: UserScope,
): Promise<UserRecord[]> {
  const ids = rows.map((row) => row.id)
  const shown = scope.by === 'groups' ? scope.groupIds : 'all'
  const groups = await membershipStore.groupsOf(db, ids, shown)
  const every = await membershipStore.everyGroupIdsOf(db, ids)
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    passwordHash: row.password_hash,
    tokenVersion: row.token_version,
    version: row.version,
    createdAt: row.created_at,
    asksBeforeInterrupting: decodeFlag(row.asks_before_interrupting),
    // A newer version may know a language that this one does not.
    language: ChosenLanguage.catch(null).parse(row.language),
    times: ChosenTimes.catch(null).parse(row.times),
    groups: groups.get(row.id) ?? [],
    everyGroupIds: every.get(row.id) ?? [],
    provider: providerOf(row),
  }))
}

function providerOf({
  provider_issuer: issuer,
  provider_subject: subject,
}: UserRow): ProviderIdentity | null {
  return issuer === null || subject === null ? null : { issuer, subject }
}
