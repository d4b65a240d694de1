/**
 * A sign-in to an account whose role needs a second factor and that has none (ADR 0070): the password
 * was right, and in place of a session the person sets the app up. Its first code begins the session.
 */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { setUpStep } from '@trunkline/contract/session/second-step.calls'
import type { Context } from '../context.ts'
import { AppError, unauthenticated } from '../errors.ts'
import { SET_UP_STEP_CALL } from '../users/known-address.service.ts'
import * as challengeService from '../users/second-factor/challenge.service.ts'
import { newCodesFor } from '../users/second-factor/factor-account.service.ts'
import { assertCode, takeTurn } from '../users/second-factor/factor-code.service.ts'
import { factorsOf } from '../users/second-factor/factors.service.ts'
import * as secondFactorStore from '../users/second-factor/second-factor.store.ts'
import { newSecret, uriOf } from '../users/second-factor/totp.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import * as userService from '../users/user.service.ts'
import { IS_OVER, noteStep } from './second-step.service.ts'
import { sessionReply } from './session-reply.ts'

const SET_UP_ASKED =
  'Your role needs a second factor. Set up an authenticator app, and enter the code that it shows.'

/** What `login` throws in place of a session. A secret that was begun before is not good any more. */
export async function askForSetUp(ctx: Context, user: userService.UserRecord): Promise<AppError> {
  const secret = newSecret()
  await secondFactorStore.begin(ctx.db, user.id, ctx.keys.seal(secret))
  const challenge = await challengeService.begin(ctx, user, 'setUp')
  const setUp = { secret, uri: uriOf(secret, user.email) }
  return new AppError('second_factor', SET_UP_ASKED, {
    secondFactor: { challenge, hasApp: false, passkey: null, setUp },
  })
}

/** Throws Unauthenticated for a challenge that is over, 422 for a wrong code, and TooMany. */
export async function signInBySetUp(
  ctx: Context,
  { challenge: text, code }: BodyOf<typeof setUpStep>,
  client: Client,
): Promise<{ sessionId: string; reply: ReplyOf<typeof setUpStep> }> {
  const { ip } = client
  const ownerId = await challengeService.ownerOf(ctx, text)
  const user = ownerId === null ? null : await userService.find(ctx, ownerId)
  if (user === null) throw unauthenticated(IS_OVER)
  const note = async (refusal: string) => noteStep(ctx, SET_UP_STEP_CALL, user, ip, refusal)
  const turn = await takeTurn(ctx, user, ip)
  const challenge = await challengeService.take(ctx, text, 'setUp')
  const factor = await secondFactorStore.find(ctx.db, user.id)
  const isStill = (await factorsOf(ctx.db, user.id)) === null
  if (
    challenge === null ||
    factor === null ||
    !isStill ||
    challenge.tokenVersion !== user.tokenVersion
  ) {
    await note(IS_OVER)
    throw unauthenticated(IS_OVER)
  }
  try {
    await assertCode(ctx, { userId: user.id, app: factor }, code, { mayRecover: false })
  } catch (error) {
    if (error instanceof AppError) await note(error.message)
    throw error
  }
  const recoveryCodes = await ctx.db.transaction().execute(async (trx) => {
    const at = new Date(ctx.clock()).toISOString()
    const isUsed = await challengeService.use(trx, challenge)
    if (!isUsed || !(await secondFactorStore.confirm(trx, factor, at))) return null
    return newCodesFor(trx, user.id)
  })
  const session = recoveryCodes && (await userSessionService.begin(ctx, user, client))
  if (recoveryCodes === null || session === null) {
    await note(IS_OVER)
    throw unauthenticated(IS_OVER)
  }
  turn.forgive()
  await note('')
  return { sessionId: session.id, reply: { ...sessionReply(ctx, user, session.id), recoveryCodes } }
}
