/** The second step of a sign-in: the password was right, and the code of the second factor ends it. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { secondStep } from '@trunkline/contract/session/session.calls'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError, unauthenticated } from '../errors.ts'
import * as challengeService from '../users/second-factor/challenge.service.ts'
import { assertCode, factorOf, takeTurn } from '../users/second-factor/factor-code.service.ts'
import { SECOND_STEP_CALL } from '../users/known-address.service.ts'
import * as userService from '../users/user.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import { sessionReply } from './session-reply.ts'

const ASKED = 'Enter the code of your authenticator app, or a recovery code.'
const IS_OVER = 'This sign-in has expired. Enter your e-mail and password again.'

/** What `login` throws in place of a session. It is no session: nothing but the second step takes it. */
export async function askForCode(ctx: Context, user: userService.UserRecord): Promise<AppError> {
  const challenge = await challengeService.begin(ctx, user)
  return new AppError('second_factor', ASKED, { secondFactor: { challenge } })
}

/** Throws Unauthenticated for a challenge that is over, 422 for a wrong code, and TooMany. */
export async function signInByCode(
  ctx: Context,
  { challenge: text, code }: BodyOf<typeof secondStep>,
  client: Client,
): Promise<{ sessionId: string; reply: ReplyOf<typeof secondStep> }> {
  const { ip } = client
  const ownerId = await challengeService.ownerOf(ctx, text)
  const user = ownerId === null ? null : await userService.find(ctx, ownerId)
  if (user === null) throw unauthenticated(IS_OVER)
  const turn = await takeTurn(ctx, user, ip)
  const challenge = await challengeService.take(ctx, text)
  const factor = await factorOf(ctx.db, user.id)
  // A password that was changed meanwhile ends what the earlier one began.
  if (challenge === null || factor === null || challenge.tokenVersion !== user.tokenVersion) {
    throw await refusedStep(ctx, user, ip, unauthenticated(IS_OVER))
  }
  try {
    await assertCode(ctx, factor, code, { mayRecover: true })
  } catch (error) {
    throw error instanceof AppError ? await refusedStep(ctx, user, ip, error) : error
  }
  // Two right codes at once, of the app and for recovery: one challenge begins one session.
  const isUsed = await challengeService.use(ctx, challenge)
  const session = isUsed ? await userSessionService.begin(ctx, user, client) : null
  if (session === null) throw await refusedStep(ctx, user, ip, unauthenticated(IS_OVER))
  turn.forgive()
  await note(ctx, user, ip, '')
  return { sessionId: session.id, reply: sessionReply(ctx, user, session.id) }
}

async function refusedStep(
  ctx: Context,
  user: userService.UserRecord,
  ip: string,
  error: AppError,
): Promise<AppError> {
  await note(ctx, user, ip, error.message)
  return error
}

async function note(
  ctx: Context,
  user: userService.UserRecord,
  ip: string,
  refusal: string,
): Promise<void> {
  await auditService.recordIfRoom(ctx, {
    actor: userService.actorOf(user, ''),
    call: SECOND_STEP_CALL,
    object: { kind: 'user', id: user.id },
    result: refusal === '' ? 'done' : 'refused',
    ip,
    reason: refusal,
  })
}
