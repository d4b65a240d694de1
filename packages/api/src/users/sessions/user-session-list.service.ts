/** The sessions of a person, listed and ended one by one: by oneself, or by who may change them. */
import type { ReplyOf } from '@trunkline/contract/route'
import { deviceOf } from '@trunkline/contract/session/device.rules'
import type { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'
import * as userSessionService from './user-session.service.ts'
import type { UserSession } from './user-session.service.ts'
import { actingNow, assertMayEdit, fullNameOf, load } from '../user.service.ts'
import type { UserRecord } from '../user.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  userId: string,
): Promise<ReplyOf<typeof listUserSessions>> {
  const user = await loadEditable(ctx.db, actor, userId)
  const sessions = await userSessionService.listOpen(ctx, user)
  const data = sessions.map(({ id, signedInAt, usedAt, address, userAgent }) => {
    const device = deviceOf(userAgent)
    return { id, isCurrent: id === actor.sessionId, signedInAt, usedAt, address, device }
  })
  return { status: true, data }
}

export async function end(
  ctx: Context,
  caller: Actor,
  { id: userId, sessionId }: { id: string; sessionId: string },
): Promise<ReplyOf<typeof endUserSession>> {
  await ctx.db.transaction().execute(async (trx) => {
    const actor = await actingNow(trx, caller)
    const user = await loadEditable(trx, actor, userId)
    const session = await userSessionService.find(trx, sessionId)
    if (session?.userId !== userId) throw notFound('session')
    await auditService.record(trx, {
      actor,
      call: 'users.endSession',
      object: { kind: 'user', id: userId },
      before: summaryOf(user, session),
    })
    await userSessionService.end(trx, session)
  })
  ctx.notices.tell({ kind: 'gone', userId })
  return { status: true }
}

async function loadEditable(db: Db, actor: Actor, userId: string): Promise<UserRecord> {
  const user = await load(db, actor, userId)
  assertMayEdit(actor, user)
  return user
}

function summaryOf(user: UserRecord, { signedInAt, address, userAgent }: UserSession) {
  return { fullName: fullNameOf(user), device: deviceOf(userAgent), address, signedInAt }
}
