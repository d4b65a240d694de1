/** Putting people into a group, besides their other groups or instead of them (Q106), and taking them out. */
import type {
  addGroupUser,
  moveGroupUser,
  removeGroupUser,
} from '@trunkline/contract/groups/group.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { conflict, forbidden } from '../errors.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import { tellUnassigned } from '../users/assignment.service.ts'
import * as membershipService from '../users/membership.service.ts'
import * as userService from '../users/user.service.ts'
import * as groupPolicy from './group.policy.ts'
import { load, loadFrom, wireGroup } from './group.service.ts'

export async function add(
  ctx: Context,
  actor: Actor,
  groupId: string,
  userId: string,
): Promise<ReplyOf<typeof addGroupUser>> {
  await ctx.db.transaction().execute(async (trx) => {
    const { acting, group, user } = await loadBoth(trx, actor, groupId, userId)
    assertMayAdd(acting, user)
    await membershipService.join(trx, groupId, user)
    await record(trx, acting, 'groups.addUser', { group, user, leftIds: [] })
  })
  tellMoved(ctx, userId, [groupId])
  return { status: true, data: wireGroup(await load(ctx, actor, groupId)) }
}

/**
 * Out of every other group; a manager takes nobody out of groups of others, so those stay. Conflict
 * when the user manages another group: a post is given to somebody else, not left.
 */
export async function move(
  ctx: Context,
  actor: Actor,
  groupId: string,
  userId: string,
): Promise<ReplyOf<typeof moveGroupUser>> {
  const { leftIds, encoders } = await ctx.db.transaction().execute(async (trx) => {
    const { acting, group, user } = await loadBoth(trx, actor, groupId, userId)
    assertMayAdd(acting, user)
    await membershipService.assertManagesNone(trx, user, groupId)
    const joined = await membershipService.joinedGroupIds(trx, userId)
    const left = joined.filter((id) => id !== groupId && seesGroup(acting, id))
    const unassigned = await membershipService.leave(trx, left, user, { actor: acting })
    if (!membershipService.isIn(user, groupId)) {
      await membershipService.join(trx, groupId, user)
    }
    await record(trx, acting, 'groups.moveUser', { group, user, leftIds: left })
    return { leftIds: left, encoders: unassigned }
  })
  tellUnassigned(ctx, encoders)
  tellMoved(ctx, userId, [groupId, ...leftIds])
  return { status: true, data: wireGroup(await load(ctx, actor, groupId)) }
}

/** Out of this one group, and off its encoders. Conflict for its manager and for who is not in it. */
export async function remove(
  ctx: Context,
  actor: Actor,
  groupId: string,
  userId: string,
): Promise<ReplyOf<typeof removeGroupUser>> {
  const encoders = await ctx.db.transaction().execute(async (trx) => {
    const { acting, group, user } = await loadBoth(trx, actor, groupId, userId)
    if (!groupPolicy.mayRemoveMember(acting, userService.actedUpon(acting, user))) {
      throw forbidden(groupPolicy.removalSentence(acting.role))
    }
    await assertLeaves(trx, group, user)
    const unassigned = await membershipService.leave(trx, [groupId], user, { actor: acting })
    await record(trx, acting, 'groups.removeUser', { group, user, leftIds: [groupId] })
    return unassigned
  })
  tellUnassigned(ctx, encoders)
  tellMoved(ctx, userId, [groupId])
  return { status: true, data: wireGroup(await load(ctx, actor, groupId)) }
}

async function loadBoth(trx: Db, actor: Actor, groupId: string, userId: string) {
  await membershipService.lockPeople(trx)
  const acting = await userService.actingNow(trx, actor)
  const group = await loadFrom(trx, acting, groupId)
  const user = await userService.load(trx, acting, userId)
  return { acting, group, user }
}

function assertMayAdd(acting: Actor, user: userService.UserRecord): void {
  if (groupPolicy.mayAddMember(acting, userService.actedUpon(acting, user))) return
  throw forbidden(groupPolicy.membersSentence(acting.role))
}

async function assertLeaves(
  trx: Db,
  group: { id: string; title: string; managerId: string },
  user: userService.UserRecord,
): Promise<void> {
  const name = userService.fullNameOf(user)
  if (group.managerId === user.id) {
    throw conflict(
      `${name} is the manager of group ${group.title}. Choose another manager there first.`,
    )
  }
  const joined = await membershipService.joinedGroupIds(trx, user.id)
  if (joined.includes(group.id)) return
  throw conflict(`${name} is not in group ${group.title}. Read the list again.`, {
    field: 'userId',
  })
}

async function record(
  trx: Db,
  actor: Actor,
  call: 'groups.addUser' | 'groups.moveUser' | 'groups.removeUser',
  moved: {
    group: { id: string; title: string }
    user: userService.UserRecord
    leftIds: readonly string[]
  },
): Promise<void> {
  const { group, user, leftIds } = moved
  await auditService.record(trx, {
    actor,
    call,
    object: { kind: 'group', id: group.id },
    after: {
      title: group.title,
      userId: user.id,
      fullName: userService.fullNameOf(user),
      leftGroupIds: leftIds,
    },
  })
}

/** What the user may see changes with it, so their record is notified too. */
function tellMoved(ctx: Context, userId: string, groupIds: readonly string[]): void {
  for (const id of groupIds) {
    ctx.notices.tell({ kind: 'group', id, change: 'changed', groupIds: [id] })
  }
  ctx.notices.tell({ kind: 'user', id: userId, change: 'changed', groupIds })
}
