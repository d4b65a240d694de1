/**
 * A sign-in to an account whose role needs a second factor and that has none (ADR 0070): the password
 * was right, and in place of a session the person sets the app up. Its first code begins the session.
 */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { setUpStep } from '@trunkline/contract/session/second-step.calls'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { SET_UP_STEP_CALL } from '../users/known-address.service.ts'
import * as challengeService from '../users/second-factor/challenge.service.ts'
import * as setUpService from '../users/second-factor/set-up.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import type { UserRecord } from '../users/user.service.ts'
import { continueSignIn } from './second-step.service.ts'
import { sessionReply } from './session-reply.ts'

const SET_UP_ASKED =
  'Your role needs a second factor. Set up an authenticator app, and enter the code that it shows.'

/** What `login` throws in place of a session. */
export async function askForSetUp(ctx: Context, user: UserRecord): Promise<AppError> {
  const secondFactor = await setUpService.begin(ctx, user)
  return new AppError('second_factor', SET_UP_ASKED, { secondFactor })
}

/** Throws Unauthenticated for a challenge that is over, 422 for a wrong code, and TooMany. */
export async function signInBySetUp(
  ctx: Context,
  { challenge: text, code }: BodyOf<typeof setUpStep>,
  client: Client,
): Promise<{ sessionId: string; reply: ReplyOf<typeof setUpStep> }> {
  return continueSignIn(ctx, { call: SET_UP_STEP_CALL, text, ip: client.ip }, async (user) => {
    const challenge = await challengeService.take(ctx, text, 'setUp')
    if (challenge?.tokenVersion !== user.tokenVersion) return null
    const recoveryCodes = await setUpService.confirm(ctx, user, challenge, code)
    const session = recoveryCodes && (await userSessionService.begin(ctx, user, client))
    if (recoveryCodes === null || session === null) return null
    return {
      sessionId: session.id,
      reply: { ...sessionReply(ctx, user, session.id), recoveryCodes },
    }
  })
}
