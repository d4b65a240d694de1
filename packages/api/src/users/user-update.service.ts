/** Saving a user: oneself, or somebody below. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { mayDo } from '@trunkline/contract/role-table'
import type { updateUser } from '@trunkline/contract/users/user.calls'
import {
  belongsToGroups,
  mayChooseGroup,
  mayChooseRole,
} from '@trunkline/contract/users/user.rules'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import { hashPassword } from '../security/password.ts'
import { tellUnassigned, unassign, type Unassigned } from './assignment.service.ts'
import {
  assertManagesNone,
  assertSuperadminLeft,
  isIn,
  join,
  leave,
  lockPeople,
} from './membership.service.ts'
import * as membershipStore from './membership.store.ts'
import {
  actedUpon,
  actingNow,
  assertMayEdit,
  assertMayGive,
  fullNameOf,
  load,
  summaryOf,
  wireUser,
} from './user.service.ts'
import { assertGoodPassword } from './new-password.service.ts'
import { assertCurrentPassword } from './current-password.service.ts'
import { assertLocal } from './provider/local-account.service.ts'
import * as userSessionService from './sessions/user-session.service.ts'
import * as userStore from './user.store.ts'
import type { UserRecord } from './user.store.ts'

type Change = BodyOf<typeof updateUser>

/**
 * A new role or password ends every session of that user at once. One's own new password or e-mail
 * needs the current password, and ends every session but the caller's.
 */
export async function update(
  ctx: Context,
  actor: Actor,
  change: Change,
): Promise<ReplyOf<typeof updateUser>> {
  // Looked at before the password is hashed, which is slow on purpose, and once more inside.
  const user = await load(ctx.db, actor, change._id)
  assertMayChange(actor, user, change)
  const { newPassword, currentPassword, email } = change
  if (newPassword !== undefined) assertLocal(ctx, user, 'newPassword')
  if (email !== undefined && email !== user.email) assertLocal(ctx, user, 'email')
  if (newPassword !== undefined) {
    const { firstName = user.firstName, lastName = user.lastName, email = user.email } = change
    const whose = user.id === actor.id ? 'yours' : 'theirs'
    await assertGoodPassword('newPassword', newPassword, { firstName, lastName, email }, whose)
  }
  if (isOwnAccess(actor, user, change)) {
    await assertCurrentPassword(ctx, user, currentPassword, actor.ip)
  }
  const passwordHash = newPassword === undefined ? null : await hashPassword(newPassword)
  const saved = await ctx.db
    .transaction()
    .execute(async (trx) => save(trx, actor, change, passwordHash))
  tellSaved(ctx, saved)
  return { status: true, data: wireUser(actor, saved.after) }
}

/** Whether the caller changes what they sign in with. */
function isOwnAccess(actor: Actor, user: UserRecord, { email, newPassword }: Change): boolean {
  const isNewEmail = email !== undefined && email !== user.email
  return user.id === actor.id && (isNewEmail || newPassword !== undefined)
}

function assertMayChange(actor: Actor, user: UserRecord, change: Change): void {
  assertMayEdit(actor, user)
  const role = change.mode ?? user.role
  if (role !== user.role) {
    if (!mayChooseRole(actor, actedUpon(actor, user))) {
      throw forbidden('You may not change your own role. Ask another admin or manager.')
    }
    assertMayGive(actor, role)
  }
  if (change.groupId === undefined || (user.id !== actor.id && mayChooseGroup(actor, role))) return
  if (user.id === actor.id || !mayDo(actor.role, 'chooseUserGroup')) {
    throw forbidden('You may not choose this user’s group. Ask an admin.')
  }
  throw invalid(
    'groupId',
    'must be left out: it is for managers. Use Add To Group for editors and monitors.',
  )
}

interface Saved {
  before: UserRecord
  after: UserRecord
  /** Assigned no more. */
  encoders: Unassigned[]
  isRevoked: boolean
}

async function save(
  trx: Db,
  caller: Actor,
  change: Change,
  passwordHash: string | null,
): Promise<Saved> {
  await lockPeople(trx)
  const actor = await actingNow(trx, caller)
  const before = await saveVersioned({
    version: change.version,
    read: async () => {
      const user = await load(trx, actor, change._id)
      assertMayChange(actor, user, change)
      return user
    },
    versionOf: ({ version }) => version,
    write: async (user) => write(trx, actor, user, change, passwordHash),
    outdated: (user) => outdatedUser(actor, user, change),
  })
  const role = change.mode ?? before.role
  if (isOwnAccess(actor, before, change)) await endOthers(trx, actor, passwordHash !== null)
  const encoders = await leavePosts(trx, before, { role, groupId: change.groupId }, { actor })
  const after = await userStore.find(trx, before.id)
  if (after === null) throw notFound('user')
  await record(trx, actor, before, after, passwordHash === null ? '' : 'with a new password')
  return { before, after, encoders, isRevoked: after.tokenVersion !== before.tokenVersion }
}

/** Answers false when somebody has saved the user since `before` was read. */
async function write(
  trx: Db,
  actor: Actor,
  before: UserRecord,
  change: Change,
  passwordHash: string | null,
): Promise<boolean> {
  const role = change.mode ?? before.role
  if (role !== before.role) {
    await assertSuperadminLeft(trx, before)
    await assertManagesNone(trx, before, '')
  }
  return userStore.update(trx, before, {
    firstName: change.firstName ?? before.firstName,
    lastName: change.lastName ?? before.lastName,
    email: change.email ?? before.email,
    role,
    ...settingsOf(actor, before, change),
    passwordHash,
  })
}

/** `areEnded`: by the new password, all of them. */
async function endOthers(trx: Db, actor: Actor, areEnded: boolean): Promise<void> {
  if (!areEnded) await userStore.revokeTokens(trx, actor.id)
  const own = await userStore.find(trx, actor.id)
  if (own !== null) await userSessionService.keep(trx, actor.sessionId, own.tokenVersion)
}

/** Personal: whoever edits somebody else sends back what they read. Null chooses the browser's again. */
function settingsOf(actor: Actor, before: UserRecord, change: Change): userStore.OwnSettings {
  const kept = userStore.ownSettingsOf(before)
  if (before.id !== actor.id) return kept
  const { asksBeforeInterrupting = kept.asksBeforeInterrupting } = change
  const { language = kept.language, times = kept.times } = change
  return { asksBeforeInterrupting, language, times }
}

function outdatedUser(actor: Actor, user: UserRecord, change: Change) {
  const current = wireUser(actor, user)
  const { firstName, lastName, email, mode } = change
  const sent = { firstName, lastName, email, mode, ...settingsOf(actor, user, change) }
  return outdated('user', current, changedFields(sent, { ...current }))
}

/**
 * Only editors are assigned to encoders. `groupId` takes the place of the groups belonged to; groups
 * that they manage stay theirs.
 */
async function leavePosts(
  trx: Db,
  user: UserRecord,
  { role, groupId }: { role: UserRecord['role']; groupId: string | undefined },
  by: { actor: Actor },
): Promise<Unassigned[]> {
  const reason = `${fullNameOf(user)} is no longer an editor`
  const encoders = role === 'editor' ? [] : await unassign(trx, user.id, 'all', { ...by, reason })
  if (groupId === undefined && belongsToGroups(role)) return encoders
  const joined = await membershipStore.joinedGroupIds(trx, user.id)
  const others = joined.filter((id) => id !== groupId)
  const left = await leave(trx, others, user, by)
  if (groupId !== undefined && !isIn(user, groupId)) await join(trx, groupId, user)
  return [...encoders, ...left]
}

async function record(
  trx: Db,
  actor: Actor,
  before: UserRecord,
  after: UserRecord,
  reason: string,
): Promise<void> {
  await auditService.record(trx, {
    actor,
    call: 'users.update',
    object: { kind: 'user', id: after.id },
    before: recordedOf(before),
    after: recordedOf(after),
    reason,
  })
}

function recordedOf(user: UserRecord) {
  const settings = userStore.ownSettingsOf(user)
  return { ...summaryOf(user), ...settings, groupIds: groupIdsOf(user) }
}

function groupIdsOf(user: UserRecord): string[] {
  return user.groups.map((group) => group._id)
}

/** Groups show the names and roles of their people, encoders their editors. */
function tellSaved(ctx: Context, { before, after, encoders, isRevoked }: Saved): void {
  const groupIds = [...new Set([...groupIdsOf(before), ...groupIdsOf(after)])]
  ctx.notices.tell({ kind: 'user', id: after.id, change: 'changed', groupIds })
  for (const id of groupIds) {
    ctx.notices.tell({ kind: 'group', id, change: 'changed', groupIds: [id] })
  }
  tellUnassigned(ctx, encoders)
  if (isRevoked) ctx.notices.tell({ kind: 'gone', userId: after.id })
}
