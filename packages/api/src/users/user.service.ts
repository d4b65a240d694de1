/** People: who they are to a session, adding them, and their first password. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { Role } from '@trunkline/contract/roles'
import type { addUser } from '@trunkline/contract/users/user.calls'
import {
  belongsToGroups,
  grantableRoles,
  hasGroupBeyond,
  isSharedBeyond,
  mayEditUser,
  seesUser,
  type ActedUpon,
} from '@trunkline/contract/users/user.rules'
import type { User } from '@trunkline/contract/users/user.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { forbidden, invalid, notFound, REVOKED, TOKEN_REFUSED, unauthenticated } from '../errors.ts'
import { newId } from '../id.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import { hashPassword } from '../security/password.ts'
import * as apiTokenStore from './api-tokens/api-token.store.ts'
import type { StoredToken } from './api-tokens/api-token.store.ts'
import * as userSessionService from './sessions/user-session.service.ts'
import * as membershipStore from './membership.store.ts'
import { assertGoodPassword } from './new-password.service.ts'
import * as postStore from './post.store.ts'
import { assertLocal } from './provider/local-account.service.ts'
import * as userStore from './user.store.ts'
import type { UserRecord } from './user.store.ts'

export type { UserRecord } from './user.store.ts'

export async function find(ctx: Context, id: string): Promise<UserRecord | null> {
  return userStore.find(ctx.db, id)
}

export async function findByEmail(ctx: Context, email: string): Promise<UserRecord | null> {
  return userStore.findByEmail(ctx.db, email)
}

/** Inside a transaction, of another feature too. */
export async function findFrom(trx: Db, id: string): Promise<UserRecord | null> {
  return userStore.find(trx, id)
}

/**
 * Whoever acts, as they are now: what is known of them from before the transaction may be a second
 * old, and they may have lost a group since. Decide by this one. Throws Unauthenticated when they
 * have lost the role, the account or the session. Take `lockPeople` first, so that it stays true.
 */
export async function actingNow(trx: Db, actor: Actor): Promise<Actor> {
  if (actor.apiToken !== undefined) return tokenActingNow(trx, actor.apiToken.id, actor)
  const now = await userStore.find(trx, actor.id)
  const session = await userSessionService.find(trx, actor.sessionId)
  const isSignedIn = session?.userId === now?.id && now?.tokenVersion === session?.tokenVersion
  if (now === null || !isSignedIn) throw unauthenticated(REVOKED)
  return actorOf(now, actor)
}

async function tokenActingNow(trx: Db, id: string, { ip }: Actor): Promise<Actor> {
  const token = await apiTokenStore.find(trx, id)
  const actor = token === null ? null : await actorByToken(trx, token)
  if (actor === null) throw unauthenticated(TOKEN_REFUSED)
  return { ...actor, ip }
}

/** Who calls with an API token, with the role and groups of now; null when its account has ended it. */
export async function actorByToken(
  db: Db,
  { id, title, scope, owner }: StoredToken,
): Promise<Actor | null> {
  const apiToken = { id, title, scope }
  if (owner.kind === 'person') {
    const user = await userStore.find(db, owner.userId)
    return user?.tokenVersion === owner.tokenVersion ? { ...actorOf(user), apiToken } : null
  }
  const { role, groups } = owner
  const groupIds = groups.map((group) => group._id)
  return { id, email: '', fullName: title, role, groupIds, sessionId: '', ip: '', apiToken }
}

/** To a manager, about somebody of theirs who reaches a group that is not theirs. */
export const SHARED_SENTENCE =
  'This user also belongs to another group, or operates an encoder of one. Only an admin may change or delete them. You may remove them from your group.'

/** 404 when there is none, or none that the actor may see. */
export async function load(db: Db, actor: Actor, id: string): Promise<UserRecord> {
  const user = await userStore.find(db, id)
  if (user === null || !seesUser(actor, actedUpon(actor, user))) throw notFound('user')
  return user
}

/** Rows V and W: throws Forbidden for whom the actor may see and not change. */
export function assertMayEdit(actor: Actor, user: UserRecord): void {
  const target = actedUpon(actor, user)
  if (isSharedBeyond(actor, target)) throw forbidden(SHARED_SENTENCE)
  if (!mayEditUser(actor, target)) throw forbidden()
}

/** Without a caller: somebody on whose behalf the product acts. */
export function actorOf(
  user: UserRecord,
  { sessionId, ip }: Pick<Actor, 'sessionId' | 'ip'> = { sessionId: '', ip: '' },
): Actor {
  return {
    id: user.id,
    email: user.email,
    fullName: fullNameOf(user),
    role: user.role,
    groupIds: user.groups.map((group) => group._id),
    sessionId,
    ip,
  }
}

/** As the rules of people want to know somebody whom this one acts upon. */
export function actedUpon(actor: Actor, user: UserRecord): ActedUpon {
  return {
    id: user.id,
    role: user.role,
    groupIds: user.groups.map((group) => group._id),
    hasGroupBeyond: hasGroupBeyond(actor, user.everyGroupIds),
  }
}

export function fullNameOf(user: Pick<UserRecord, 'firstName' | 'lastName'>): string {
  return `${user.firstName} ${user.lastName}`.trim()
}

/** The new user joins `groupId`; a manager's joins the manager's first group when none is named (Q107). */
export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addUser>,
  id: string,
): Promise<ReplyOf<typeof addUser>> {
  // Looked at before the password is hashed, which is slow on purpose, and once more inside.
  groupFor(actor, draft)
  await assertGoodPassword('password', draft.password, draft, 'theirs')
  const user = await newUser(ctx, draft, id)
  const groupId = await ctx.db.transaction().execute(async (trx) => {
    await postStore.lockPeople(trx)
    const joined = groupFor(await actingNow(trx, actor), draft)
    await userStore.insert(trx, user)
    if (joined !== null) await membershipStore.insert(trx, joined, user.id)
    await auditService.record(trx, {
      actor,
      call: 'users.add',
      object: { kind: 'user', id },
      after: { ...summaryOf(user), groupId: joined },
    })
    return joined
  })
  tellAdded(ctx, id, groupId)
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addUser>> {
  const user = await userStore.find(ctx.db, id)
  if (user === null) throw notFound('user')
  return { status: true, id, _id: id, data: wireUser(actor, user) }
}

/** Also 404 for a group that is not the manager's: an answer never tells which groups exist. */
function groupFor(actor: Actor, draft: BodyOf<typeof addUser>): string | null {
  assertMayGive(actor, draft.mode)
  if (!belongsToGroups(draft.mode)) {
    if (draft.groupId === undefined) return null
    throw invalid('groupId', `must be left out: a user of the role ${draft.mode} sees every group.`)
  }
  if (actor.role !== 'manager') return draft.groupId ?? null
  const groupId = draft.groupId ?? actor.groupIds[0]
  if (groupId === undefined) {
    throw invalid(
      'groupId',
      'You have no group to add people to. Ask an admin to make you the manager of one.',
    )
  }
  if (!actor.groupIds.includes(groupId)) throw notFound('group')
  return groupId
}

/** ROLE-08: nobody gives a role above the own one. */
export function assertMayGive(actor: Actor, role: Role): void {
  const grantable = grantableRoles(actor.role)
  if (grantable.includes(role)) return
  throw forbidden(`You may not give the role ${role}. You may give: ${grantable.join(', ')}.`)
}

type NewPerson = Pick<
  BodyOf<typeof addUser>,
  'firstName' | 'lastName' | 'email' | 'password' | 'mode'
>

async function newUser(
  ctx: Context,
  draft: NewPerson,
  id: string,
): Promise<userStore.NewUserRecord> {
  return {
    id,
    firstName: draft.firstName,
    lastName: draft.lastName,
    email: draft.email,
    role: draft.mode,
    passwordHash: await hashPassword(draft.password),
    tokenVersion: 1,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  }
}

/** The installation's first superadmin, from the settings, when there is nobody at all (Q47). */
export async function addFirstAdmin(ctx: Context): Promise<void> {
  if (!(await userStore.isEmpty(ctx.db))) return
  const { firstAdmin } = ctx.config
  if (firstAdmin === null) {
    ctx.log.warn(
      'Nobody can sign in yet: this database has no users. Set TRUNKLINE_ADMIN_EMAIL and TRUNKLINE_ADMIN_PASSWORD and start again.',
    )
    return
  }
  const names = { firstName: 'First', lastName: 'Superadmin', mode: 'superadmin' as const }
  const { password } = firstAdmin
  const person = { ...names, ...firstAdmin }
  await assertGoodPassword('TRUNKLINE_ADMIN_PASSWORD', password, person, 'theirs')
  const user = await newUser(ctx, { ...names, ...firstAdmin }, newId())
  await ctx.db.transaction().execute(async (trx) => {
    // Another API process may start on the same database at the same moment.
    await postStore.lockPeople(trx)
    if (!(await userStore.isEmpty(trx))) return
    await userStore.insert(trx, user)
    await auditService.record(trx, {
      actor: null,
      call: 'users.first',
      object: { kind: 'user', id: user.id },
      after: summaryOf(user),
    })
  })
}

/**
 * For the administrator of the machine: a further user, whatever the role, without asking who acts.
 * Answers the new id; throws Conflict when the e-mail is in use. `person` is checked by UserDraft
 * before.
 */
export async function addByCommand(ctx: Context, person: NewPerson): Promise<string> {
  await assertGoodPassword('password', person.password, person, 'theirs')
  const user = await newUser(ctx, person, newId())
  await ctx.db.transaction().execute(async (trx) => {
    await userStore.insert(trx, user)
    await auditService.record(trx, {
      actor: null,
      call: 'users.add',
      object: { kind: 'user', id: user.id },
      after: summaryOf(user),
    })
  })
  tellAdded(ctx, user.id, null)
  return user.id
}

/** Revokes every token of that user that was given out before now. `ip`: of the one who asks. */
export async function endSessions(
  ctx: Context,
  actor: Actor | null,
  userId: string,
  ip: string,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const user = await userStore.find(trx, userId)
    if (user === null) throw notFound('user')
    await userStore.revokeTokens(trx, userId)
    await auditService.record(trx, {
      actor,
      call: 'session.signOutEverywhere',
      object: { kind: 'user', id: userId },
      after: { fullName: fullNameOf(user) },
      ip,
    })
  })
  ctx.notices.tell({ kind: 'gone', userId })
}

/**
 * Sets a password and revokes every session of that user. Answers false when there is no such user;
 * throws Invalid for a password that is too easy to guess, Conflict for a person of the sign-in provider.
 */
export async function resetPassword(
  ctx: Context,
  email: string,
  password: string,
): Promise<boolean> {
  const user = await userStore.findByEmail(ctx.db, email)
  if (user === null) return false
  assertLocal(ctx, user, 'password')
  await assertGoodPassword('password', password, user, 'theirs')
  const passwordHash = await hashPassword(password)
  await ctx.db.transaction().execute(async (trx) => {
    await postStore.lockPeople(trx)
    await userStore.setPassword(trx, user.id, passwordHash)
    await auditService.record(trx, {
      actor: null,
      call: 'users.resetPassword',
      object: { kind: 'user', id: user.id },
    })
  })
  ctx.notices.tell({ kind: 'gone', userId: user.id })
  return true
}

function tellAdded(ctx: Context, userId: string, groupId: string | null): void {
  const groupIds = groupId === null ? [] : [groupId]
  ctx.notices.tell({ kind: 'user', id: userId, change: 'added', groupIds })
  if (groupId !== null) {
    ctx.notices.tell({ kind: 'group', id: groupId, change: 'changed', groupIds })
  }
}

/** Of a line of audit. */
export function summaryOf(user: userStore.NewUserRecord) {
  const { firstName, lastName, email, role } = user
  return { fullName: fullNameOf(user), firstName, lastName, email, role }
}

/** Below admin a user shows the groups shared with the caller only (quality.md T3). */
export function wireUser(actor: Actor, user: UserRecord): User {
  return {
    _id: user.id,
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    fullName: fullNameOf(user),
    email: user.email,
    mode: user.role,
    modeInfo: { _id: user.role, name: user.role },
    groups: user.groups.filter((group) => seesGroup(actor, group._id)),
    hasGroupBeyond: hasGroupBeyond(actor, user.everyGroupIds),
    ...userStore.ownSettingsOf(user),
    isFromProvider: user.provider !== null,
    version: user.version,
  }
}
