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
import { takeTurn } from '../users/second-factor/factor-code.service.ts'
import * as setUpService from '../users/second-factor/set-up.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import * as userService from '../users/user.service.ts'
import { IS_OVER, noteStep } from './second-step.service.ts'
import { sessionReply } from './session-reply.ts'

const SET_UP_ASKED =
  'Your role needs a second factor. Set up an authenticator app, and enter the code that it shows.'

/** What `login` throws in place of a session. */
export async function askForSetUp(ctx: Context, user: userService.UserRecord): Promise<AppError> {
  const secondFactor = await setUpService.begin(ctx, user)
  return new AppError('second_factor', SET_UP_ASKED, { secondFactor })
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
  try {
    const challenge = await challengeService.take(ctx, text, 'setUp')
    const isGood = challenge?.tokenVersion === user.tokenVersion
    const recoveryCodes = isGood ? await setUpService.confirm(ctx, user, challenge, code) : null
    const session = recoveryCodes && (await userSessionService.begin(ctx, user, client))
    if (recoveryCodes === null || session === null) throw unauthenticated(IS_OVER)
    turn.forgive()
    await note('')
    const reply = { ...sessionReply(ctx, user, session.id), recoveryCodes }
    return { sessionId: session.id, reply }
  } catch (error) {
    if (error instanceof AppError) await note(error.message)
    throw error
  }
}
