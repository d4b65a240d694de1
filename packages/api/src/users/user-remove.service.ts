/** Deleting a user: their groups and encoders go on without them, their sessions end at once. */
import type { ReplyOf } from '@trunkline/contract/route'
import type { removeUser } from '@trunkline/contract/users/user.calls'
import { isSharedBeyond, mayRemoveUser } from '@trunkline/contract/users/user.rules'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { conflict, forbidden } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import { tellUnassigned, unassign } from './assignment.service.ts'
import { assertManagesNone, assertSuperadminLeft, lockPeople } from './membership.service.ts'
import * as membershipStore from './membership.store.ts'
import {
  actedUpon,
  actingNow,
  fullNameOf,
  load,
  SHARED_SENTENCE,
  summaryOf,
} from './user.service.ts'
import * as userStore from './user.store.ts'

/** Conflict for oneself, for the last superadmin and for the manager of a group (Q50). */
export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeUser>> {
  const { groupIds, encoders } = await ctx.db
    .transaction()
    .execute(async (trx) => takeOut(trx, actor, id))
  ctx.notices.tell({ kind: 'user', id, change: 'removed', groupIds })
  for (const groupId of groupIds) {
    ctx.notices.tell({ kind: 'group', id: groupId, change: 'changed', groupIds: [groupId] })
  }
  tellUnassigned(ctx, encoders)
  ctx.notices.tell({ kind: 'gone', userId: id })
  return { status: true, id }
}

/** Answers the groups that they belonged to, and the encoders that they were assigned to. */
async function takeOut(trx: Db, actor: Actor, id: string) {
  await lockPeople(trx)
  const acting = await actingNow(trx, actor)
  const user = await load(trx, acting, id)
  if (id === acting.id) {
    throw conflict('You cannot delete yourself. Ask another admin or manager.')
  }
  const target = actedUpon(acting, user)
  if (isSharedBeyond(acting, target)) throw forbidden(SHARED_SENTENCE)
  if (!mayRemoveUser(acting, target)) throw forbidden()
  await assertSuperadminLeft(trx, user)
  await assertManagesNone(trx, user, '')
  const { groupIds } = target
  const reason = `${fullNameOf(user)} was deleted`
  const encoders = await unassign(trx, id, 'all', { actor: acting, reason })
  await membershipStore.remove(trx, groupIds, id)
  await userStore.remove(trx, id)
  await auditService.record(trx, {
    actor,
    call: 'users.remove',
    object: { kind: 'user', id },
    before: { ...summaryOf(user), groupIds },
  })
  return { groupIds, encoders }
}
