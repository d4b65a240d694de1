import type { ReplyOf } from '@trunkline/contract/route'
import type { login } from '@trunkline/contract/session/session.calls'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import type { Context } from '../context.ts'
import * as userService from '../users/user.service.ts'
import { signToken } from './token.ts'

/** What every sign-in and session check answers: who it is, and a fresh token. */
export function sessionReply(
  ctx: Context,
  user: userService.UserRecord,
  sessionId: string,
): ReplyOf<typeof login> {
  const token = signToken(ctx.keys.tokenSecret, { userId: user.id, sessionId }, ctx.clock())
  const sessionUser: SessionUser = {
    _id: user.id,
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    fullName: userService.fullNameOf(user),
    email: user.email,
    mode: { _id: user.role, name: user.role },
    modeInfo: { name: user.role },
    groups: user.groups,
    asksBeforeInterrupting: user.asksBeforeInterrupting,
    language: user.language,
    times: user.times,
    isFromProvider: user.provider !== null,
    token,
  }
  return { status: true, user: sessionUser, token }
}
