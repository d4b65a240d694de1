/** The second step of a sign-in: the password was right, and a code or a passkey ends it. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { passkeyStep, secondStep } from '@trunkline/contract/session/second-step.calls'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError, unauthenticated } from '../errors.ts'
import {
  PASSKEY_STEP_CALL,
  SECOND_STEP_CALL,
  type PASSKEY_SET_UP_STEP_CALL,
  type SET_UP_STEP_CALL,
} from '../users/known-address.service.ts'
import * as challengeService from '../users/second-factor/challenge.service.ts'
import { assertCode, takeTurn } from '../users/second-factor/factor-code.service.ts'
import {
  assertPasskey,
  factorsOf,
  passkeyRequestOf,
  type Factors,
} from '../users/second-factor/factors.service.ts'
import * as userService from '../users/user.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import type { Client } from '../users/sessions/user-session.service.ts'
import { sessionReply } from './session-reply.ts'

const CODE_ASKED = 'Enter the code of your authenticator app, or a recovery code.'
const PASSKEY_ASKED = 'Use your passkey, or a recovery code.'
const RECOVERY_ASKED =
  'Enter a recovery code. The passkeys of this account work at another address of the console.'
const IS_OVER = 'This sign-in has expired. Enter your e-mail and password again.'

export interface Guest extends Client {
  /** Of the API, as the guest named it: passkeys are of an address. */
  origin: string
}

type SignedIn = { sessionId: string; reply: ReplyOf<typeof secondStep> }
export type StepCall =
  | typeof SECOND_STEP_CALL
  | typeof PASSKEY_STEP_CALL
  | typeof SET_UP_STEP_CALL
  | typeof PASSKEY_SET_UP_STEP_CALL

/** What `login` throws in place of a session. It is no session: nothing but the second step takes it. */
export async function askForFactor(
  ctx: Context,
  user: userService.UserRecord,
  { app, passkeys }: Factors,
  origin: string,
): Promise<AppError> {
  const challenge = await challengeService.begin(ctx, user, 'signIn')
  const passkey = passkeyRequestOf(ctx, passkeys, { challenge, origin })
  const hasApp = app !== null
  const sentence = hasApp ? CODE_ASKED : passkey === null ? RECOVERY_ASKED : PASSKEY_ASKED
  return new AppError('second_factor', sentence, {
    secondFactor: { challenge, hasApp, passkey, setUp: null },
  })
}

/** Throws Unauthenticated for a challenge that is over, 422 for a wrong code, and TooMany. */
export async function signInByCode(
  ctx: Context,
  { challenge, code }: BodyOf<typeof secondStep>,
  guest: Guest,
): Promise<SignedIn> {
  return endSignIn(ctx, SECOND_STEP_CALL, challenge, guest, async (factors) =>
    assertCode(ctx, factors, code, { mayRecover: true }),
  )
}

/** As `signInByCode`; 422 for a passkey that is not of the account, or did not sign this challenge here. */
export async function signInByPasskey(
  ctx: Context,
  { challenge, credential }: BodyOf<typeof passkeyStep>,
  guest: Guest,
): Promise<SignedIn> {
  const { origin } = guest
  return endSignIn(ctx, PASSKEY_STEP_CALL, challenge, guest, async (factors) =>
    assertPasskey(ctx, factors, credential, { challenge, origin }),
  )
}

/** `assertFactor` throws an AppError for a factor that is not right. */
async function endSignIn(
  ctx: Context,
  call: StepCall,
  text: string,
  guest: Guest,
  assertFactor: (factors: Factors) => Promise<void>,
): Promise<SignedIn> {
  return continueSignIn(ctx, { call, text, ip: guest.ip }, async (user) => {
    const challenge = await challengeService.take(ctx, text, 'signIn')
    const factors = await factorsOf(ctx.db, user.id)
    // A password that was changed meanwhile ends what the earlier one began.
    if (factors === null || challenge?.tokenVersion !== user.tokenVersion) return null
    await assertFactor(factors)
    // Two right answers at once, such as of app and passkey: one challenge begins one session.
    const isUsed = await challengeService.use(ctx.db, challenge)
    const session = isUsed ? await userSessionService.begin(ctx, user, guest) : null
    return session && { sessionId: session.id, reply: sessionReply(ctx, user, session.id) }
  })
}

/**
 * A step of a sign-in in a turn of its limits, with a line in the record of activity. `text`: the
 * challenge; `end` answers null when that is over, and throws an AppError for a factor that is not right.
 */
export async function continueSignIn<T>(
  ctx: Context,
  { call, text, ip }: { call: StepCall; text: string; ip: string },
  end: (user: userService.UserRecord) => Promise<T | null>,
): Promise<T> {
  const ownerId = await challengeService.ownerOf(ctx, text)
  const user = ownerId === null ? null : await userService.find(ctx, ownerId)
  if (user === null) throw unauthenticated(IS_OVER)
  const note = async (refusal: string) =>
    auditService.recordIfRoom(ctx, {
      actor: userService.actorOf(user),
      call,
      object: { kind: 'user', id: user.id },
      result: refusal === '' ? 'done' : 'refused',
      ip,
      reason: refusal,
    })
  const turn = await takeTurn(ctx, user, ip)
  try {
    const ended = await end(user)
    if (ended === null) throw unauthenticated(IS_OVER)
    turn.forgive()
    await note('')
    return ended
  } catch (error) {
    if (error instanceof AppError) await note(error.message)
    throw error
  }
}
