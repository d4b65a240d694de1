/** Putting people into a group: besides their other groups, or instead of them (Q106). */
import type { addGroupUser, moveGroupUser } from '@trunkline/contract/groups/group.calls'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { forbidden } from '../errors.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import * as membershipService from '../users/membership.service.ts'
import * as userService from '../users/user.service.ts'
import * as groupPolicy from './group.policy.ts'
import { load, loadFrom, wireGroup } from './group.service.ts'

export async function add(
  ctx: Context,
  actor: Actor,
  groupId: string,
  userId: string,
  ip: string,
): Promise<ReplyOf<typeof addGroupUser>> {
  await ctx.db.transaction().execute(async (trx) => {
    const { group, user } = await loadBoth(trx, actor, groupId, userId)
    await membershipService.join(trx, groupId, user)
    await record(trx, actor, 'groups.addUser', { group, user, leftIds: [] }, ip)
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
  ip: string,
): Promise<ReplyOf<typeof moveGroupUser>> {
  const leftIds = await ctx.db.transaction().execute(async (trx) => {
    const { group, user } = await loadBoth(trx, actor, groupId, userId)
    await membershipService.assertManagesNone(trx, user, groupId)
    const joined = await membershipService.joinedGroupIds(trx, userId)
    const left = joined.filter((id) => id !== groupId && seesGroup(actor, id))
    await membershipService.leave(trx, left, userId)
    if (!membershipService.isIn(user, groupId)) {
      await membershipService.join(trx, groupId, user)
    }
    await record(trx, actor, 'groups.moveUser', { group, user, leftIds: left }, ip)
    return left
  })
  tellMoved(ctx, userId, [groupId, ...leftIds])
  return { status: true, data: wireGroup(await load(ctx, actor, groupId)) }
}

async function loadBoth(trx: Db, actor: Actor, groupId: string, userId: string) {
  await membershipService.lockPeople(trx)
  await userService.assertStillActs(trx, actor)
  const group = await loadFrom(trx, actor, groupId)
  const user = await userService.load(trx, actor, userId)
  if (!groupPolicy.mayAddMember(actor, userService.actorOf(user))) {
    throw forbidden(groupPolicy.membersSentence(actor.role))
  }
  return { group, user }
}

async function record(
  trx: Db,
  actor: Actor,
  call: 'groups.addUser' | 'groups.moveUser',
  moved: {
    group: { id: string; title: string }
    user: userService.UserRecord
    leftIds: readonly string[]
  },
  ip: string,
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
    result: 'done',
    ip,
  })
}

/** The person's own sight changes with it, so their record is told of too. */
function tellMoved(ctx: Context, userId: string, groupIds: readonly string[]): void {
  for (const id of groupIds) {
    ctx.notices.tell({ kind: 'group', id, change: 'changed', groupIds: [id] })
  }
  ctx.notices.tell({ kind: 'user', id: userId, change: 'changed', groupIds })
}
