/**
 * A sign-in to an account whose role needs a second factor and that has none (ADR 0070): the password
 * was right, and in place of a session the person sets up the app or a passkey. That begins the session.
 */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { passkeySetUpStep, setUpStep } from '@trunkline/contract/session/second-step.calls'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { PASSKEY_SET_UP_STEP_CALL, SET_UP_STEP_CALL } from '../users/known-address.service.ts'
import * as challengeService from '../users/second-factor/challenge.service.ts'
import type { StoredChallenge } from '../users/second-factor/challenge.service.ts'
import * as setUpService from '../users/second-factor/set-up.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import type { UserRecord } from '../users/user.service.ts'
import { continueSignIn, type Guest, type StepCall } from './second-step.service.ts'
import { sessionReply } from './session-reply.ts'

const SET_UP_ASKED =
  'Your role needs a second factor. Set up an authenticator app, and enter the code that it shows.'
const APP_OR_PASSKEY_ASKED =
  'Your role needs a second factor. Set up an authenticator app, and enter the code that it shows, or add a passkey.'

type SetUp = { sessionId: string; reply: ReplyOf<typeof setUpStep> }

/** What `login` throws in place of a session. */
export async function askForSetUp(
  ctx: Context,
  user: UserRecord,
  origin: string,
): Promise<AppError> {
  const secondFactor = await setUpService.begin(ctx, user, origin)
  const sentence = secondFactor.setUp?.passkey === null ? SET_UP_ASKED : APP_OR_PASSKEY_ASKED
  return new AppError('second_factor', sentence, { secondFactor })
}

/** Throws Unauthenticated for a challenge that is over, 422 for a wrong code, and TooMany. */
export async function signInBySetUp(
  ctx: Context,
  { challenge: text, code }: BodyOf<typeof setUpStep>,
  client: Client,
): Promise<SetUp> {
  return endSetUp(ctx, SET_UP_STEP_CALL, text, client, async (user, challenge) =>
    setUpService.confirm(ctx, user, challenge, code),
  )
}

/** As `signInBySetUp`; 422 for a passkey that was not made for this challenge here. */
export async function signInByNewPasskey(
  ctx: Context,
  body: BodyOf<typeof passkeySetUpStep>,
  guest: Guest,
): Promise<SetUp> {
  const { origin } = guest
  return endSetUp(ctx, PASSKEY_SET_UP_STEP_CALL, body.challenge, guest, async (user, challenge) =>
    setUpService.confirmPasskey(ctx, user, challenge, { ...body, origin }),
  )
}

/** `confirm` answers the recovery codes, or null when the challenge is over. */
async function endSetUp(
  ctx: Context,
  call: StepCall,
  text: string,
  client: Client,
  confirm: (user: UserRecord, challenge: StoredChallenge) => Promise<string[] | null>,
): Promise<SetUp> {
  return continueSignIn(ctx, { call, text, ip: client.ip }, async (user) => {
    const challenge = await challengeService.take(ctx, text, 'setUp')
    if (challenge?.tokenVersion !== user.tokenVersion) return null
    const recoveryCodes = await confirm(user, challenge)
    const session = recoveryCodes && (await userSessionService.begin(ctx, user, client))
    if (recoveryCodes === null || session === null) return null
    return {
      sessionId: session.id,
      reply: { ...sessionReply(ctx, user, session.id), recoveryCodes },
    }
  })
}
