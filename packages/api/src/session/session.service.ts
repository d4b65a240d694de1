/** Signing in, staying signed in, and being signed out at once when an account changes. */
import { DAY_MS } from '@trunkline/contract/durations'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import type {
  jwtLogin,
  login,
  signOut,
  signOutEverywhere,
} from '@trunkline/contract/session/session.calls'
import { API_TOKEN_PREFIX } from '@trunkline/contract/users/api-token.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { REVOKED, TOKEN_REFUSED, tooMany, unauthenticated, type AppError } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import { atNextStep } from '../security/even-time.ts'
import { checkDecoy, isPassword } from '../security/password.ts'
import { signInLimitOf, waitOf, type Attempt, type TooSoon } from '../security/sign-in-limit.ts'
import { hasSignedInFrom, SIGN_IN_CALL } from '../users/known-address.service.ts'
import { factorsOf } from '../users/second-factor/factors.service.ts'
import { isRequired } from '../users/second-factor/required-factor.service.ts'
import { hashOfToken } from '../users/api-tokens/api-token-use.service.ts'
import * as userService from '../users/user.service.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import * as oidcService from './oidc/oidc.service.ts'
import { sessionIdIn } from './page-ticket.ts'
import { askForFactor, type Guest } from './second-step.service.ts'
import {
  read,
  remembered,
  rememberedNow,
  rememberedToken,
  type SignedIn,
} from './session-memory.ts'
import { sessionReply } from './session-reply.ts'
import { askForSetUp } from './set-up-step.service.ts'
import { readToken } from './token.ts'

/** One text for an unknown e-mail and for a wrong password (API-01). */
export const WRONG_PAIR = 'Please check your email and password'
const SIGN_IN = 'Please sign in.'
const SIGN_IN_AGAIN = 'Your session has ended. Please sign in again.'

/**
 * Throws TooMany before any password is looked at, then Unauthenticated for a wrong pair, and with
 * the code 'second_factor' for a right one of an account that has a second factor, or has none and needs one.
 */
export async function signIn(
  ctx: Context,
  { email, password }: BodyOf<typeof login>,
  guest: Guest,
): Promise<{ sessionId: string; reply: ReplyOf<typeof login> }> {
  const { ip, origin } = guest
  const beganMs = performance.now()
  const isKnownAddress = async () => signedInFromThere(ctx, email, ip)
  const attempt = { email, ip, isKnownAddress }
  const turn = await signInLimitOf(ctx).take(attempt)
  if ('waitMs' in turn) throw await refusedByLimit(ctx, attempt, turn)
  const user = await userService.findByEmail(ctx, email)
  const isRight =
    user === null ? await checkDecoy(password) : await isPassword(user.passwordHash, password)
  if (user === null || !isRight) {
    const refusal = await wrongPair(ctx, user, ip, 'wrong e-mail or password')
    await atNextStep(beganMs)
    throw refusal
  }
  if (user.provider !== null) throw await wrongPair(ctx, user, ip, 'signs in with the provider')
  const factors = await factorsOf(ctx.db, user.id)
  if (factors !== null) {
    // The try stays counted until the code was right, or guesses at codes would be without limit.
    const asked = await askForFactor(ctx, user, factors, origin)
    await note(ctx, user, ip, 'the password was right; the second factor is asked for')
    throw asked
  }
  if (await isRequired(ctx.db, user.role)) {
    const asked = await askForSetUp(ctx, user, origin)
    await note(ctx, user, ip, 'the password was right; a second factor is to be set up')
    throw asked
  }
  turn.forgive()
  const session = await userSessionService.begin(ctx, user, guest)
  if (session === null) throw await wrongPair(ctx, user, ip, 'the account was removed meanwhile')
  await note(ctx, user, ip, '')
  return { sessionId: session.id, reply: sessionReply(ctx, user, session.id) }
}

async function signedInFromThere(ctx: Context, email: string, ip: string): Promise<boolean> {
  const user = await userService.findByEmail(ctx, email)
  return user !== null && hasSignedInFrom(ctx, user.id, ip)
}

async function wrongPair(
  ctx: Context,
  user: userService.UserRecord | null,
  ip: string,
  why: string,
): Promise<AppError> {
  await note(ctx, user, ip, why)
  return unauthenticated(WRONG_PAIR)
}

/** One line of audit a window: a flood of tries is no flood of lines. */
async function refusedByLimit(
  ctx: Context,
  { email, ip }: Attempt,
  tooSoon: TooSoon,
): Promise<AppError> {
  const { seconds, text: wait } = waitOf(tooSoon)
  if (tooSoon.isFirst) {
    const user = await userService.findByEmail(ctx, email)
    await note(ctx, user, ip, `too many attempts; next attempt allowed in ${wait}`)
  }
  return tooMany(`Too many attempts to sign in. Try again in ${wait}.`, seconds)
}

/** What was typed as e-mail is in no line: it may be a password in the wrong field. */
async function note(
  ctx: Context,
  user: userService.UserRecord | null,
  ip: string,
  refusal: string,
): Promise<void> {
  const who = user === null ? null : userService.actorOf(user)
  await auditService.recordIfRoom(ctx, {
    actor: who,
    call: SIGN_IN_CALL,
    object: who === null ? null : { kind: 'user', id: who.id },
    result: refusal === '' ? 'done' : 'refused',
    ip,
    reason: refusal,
  })
}

/** The caller's own session alone; whether its provider answers or not. */
export async function signOutHere(ctx: Context, actor: Actor): Promise<ReplyOf<typeof signOut>> {
  const ended = await userSessionService.endOwn(ctx, actor)
  return { status: true, signOutUrl: await oidcService.signOutUrlAfter(ctx, ended) }
}

/** The caller's own session is ended with the others. */
export async function endEverywhere(
  ctx: Context,
  actor: Actor,
): Promise<ReplyOf<typeof signOutEverywhere>> {
  await userService.endSessions(ctx, actor, actor.id, actor.ip)
  return { status: true }
}

/**
 * A fresh token for who is signed in, so that 12 hours count from the last use. What is remembered
 * of a session may be a second old: a session that has ended meanwhile gets no lasting token.
 */
export async function renew(ctx: Context, actor: SignedIn): Promise<ReplyOf<typeof jwtLogin>> {
  const found = await read(ctx, actor.sessionId)
  if (found === null) throw unauthenticated(REVOKED)
  return sessionReply(ctx, found.user, actor.sessionId)
}

/** `header`: Authorization as it came. Throws Unauthenticated for anything but a live session. */
export async function resume(
  ctx: Context,
  header: string | undefined,
  ip: string,
): Promise<SignedIn> {
  const token = tokenIn(header)
  if (token === undefined) throw unauthenticated(SIGN_IN)
  if (token.startsWith(API_TOKEN_PREFIX)) return resumeToken(ctx, token, ip)
  const claims = readToken(ctx.keys.tokenSecret, token, ctx.clock())
  if (claims === null) throw unauthenticated(SIGN_IN_AGAIN)
  const actor = await remembered(ctx, claims.sessionId, ip)
  if (actor?.id !== claims.userId) throw unauthenticated(REVOKED)
  if (hasEnded(ctx, actor)) throw unauthenticated(SIGN_IN_AGAIN)
  return { ...actor, ip }
}

async function resumeToken(ctx: Context, token: string, ip: string): Promise<SignedIn> {
  const hash = hashOfToken(token)
  const actor = hash === null ? null : await rememberedToken(ctx, hash, ip)
  if (actor === null) throw unauthenticated(TOKEN_REFUSED)
  return { ...actor, ip }
}

/** As `resume`, at once: null for whoever is not known from a call within the last second. */
export function resumeNow(ctx: Context, header: string | undefined, ip: string): SignedIn | null {
  const token = tokenIn(header)
  if (token === undefined) return null
  const hash = hashOfToken(token)
  if (hash !== null) {
    const service = rememberedNow(ctx, hash)
    return service && { ...service, ip }
  }
  const claims = readToken(ctx.keys.tokenSecret, token, ctx.clock())
  const actor = claims === null ? null : rememberedNow(ctx, claims.sessionId)
  if (actor === null || actor.id !== claims?.userId || hasEnded(ctx, actor)) return null
  return { ...actor, ip }
}

function tokenIn(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
}

/** Whose page is asked for, by the cookie that came with it; null for nobody's. It lets nobody call. */
export async function whosePage(
  ctx: Context,
  cookies: string | undefined,
): Promise<({ actor: Actor } & Pick<SessionUser, 'language' | 'times'>) | null> {
  const sessionId = sessionIdIn(ctx.keys.tokenSecret, cookies)
  const found = sessionId === null ? null : await read(ctx, sessionId)
  if (found === null || hasEnded(ctx, found.actor)) return null
  const { language, times } = found.user
  return { actor: found.actor, language, times }
}

/** However often it was renewed. */
function hasEnded(ctx: Context, { signedInMs }: SignedIn): boolean {
  return ctx.clock() - signedInMs > ctx.config.sessionDays * DAY_MS
}
