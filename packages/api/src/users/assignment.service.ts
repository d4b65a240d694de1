/** Taking an editor off encoders: with the account, the role or a membership their assignments end. */
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import type { GroupScope, Actor } from '../security/actor.ts'
import * as postStore from './post.store.ts'

export interface Unassigned {
  id: string
  groupId: string
}

/** Who does it and why, for the activity of each encoder. */
export interface Cause {
  actor: Actor
  reason: string
}

/**
 * Off the encoders of these groups. For each encoder it is a change like any other of its editors: a
 * new version and a line of activity; tell the notices by `tellUnassigned` after the commit.
 */
export async function unassign(
  trx: Db,
  userId: string,
  groupIds: GroupScope,
  { actor, reason }: Cause,
): Promise<Unassigned[]> {
  const encoders = await postStore.assignedEncoders(trx, userId, groupIds)
  if (encoders.length === 0) return []
  await postStore.unassignEncoders(trx, userId, groupIds)
  for (const { id, userIds } of encoders) {
    await auditService.record(trx, {
      actor,
      call: 'encoders.update',
      object: { kind: 'encoder', id },
      before: { users: userIds },
      after: { users: userIds.filter((each) => each !== userId) },
      reason,
    })
  }
  return encoders.map(({ id, groupId }) => ({ id, groupId }))
}

export function tellUnassigned(ctx: Context, encoders: readonly Unassigned[]): void {
  for (const { id, groupId } of encoders) {
    ctx.notices.tell({ kind: 'encoder', id, change: 'changed', groupIds: [groupId] })
  }
}
