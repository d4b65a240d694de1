/** Signing in, staying signed in, and being signed out at once when an account changes. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { jwtLogin, login, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { REVOKED, tooMany, unauthenticated, type AppError } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import { checkDecoy, isPassword } from '../security/password.ts'
import * as userService from '../users/user.service.ts'
import { networkOf } from './network.rules.ts'
import { remembered } from './session-memory.ts'
import type { Attempt, SignInLimit, TooSoon } from './sign-in-limit.ts'
import { readToken, signToken, type TokenClaims } from './token.ts'

/** One text for an unknown e-mail and for a wrong password (API-01). */
export const WRONG_PAIR = 'Please check your email and password'
const SIGN_IN = 'Please sign in.'
const SIGN_IN_CALL = 'session.login'
const SIGN_IN_AGAIN = 'Your session has ended. Please sign in again.'

const DAY_MS = 24 * 3_600_000
/** How long an address stays one of the account's own after a sign-in from there. */
const OWN_ADDRESS_MS = 30 * DAY_MS

/** Who is calling, and since when by password. */
export interface SignedIn extends Actor {
  readonly signedInMs: number
}

/** Throws TooMany before any password is looked at, then Unauthenticated for a wrong pair. */
export async function signIn(
  ctx: Context,
  limit: SignInLimit,
  { email, password }: BodyOf<typeof login>,
  ip: string,
): Promise<ReplyOf<typeof login>> {
  const isKnownAddress = async () => signedInFromThere(ctx, email, ip)
  const attempt = { email, ip, isKnownAddress }
  const tooSoon = await limit.take(attempt)
  if (tooSoon !== null) throw await refusedByLimit(ctx, attempt, tooSoon)
  const user = await userService.findByEmail(ctx, email)
  const isRight =
    user === null ? await checkDecoy(password) : await isPassword(user.passwordHash, password)
  await note(ctx, user, ip, isRight ? '' : 'wrong e-mail or password')
  if (user === null || !isRight) throw unauthenticated(WRONG_PAIR)
  limit.forgive(email, ip)
  return sessionReply(ctx, user, ctx.clock())
}

async function signedInFromThere(ctx: Context, email: string, ip: string): Promise<boolean> {
  const user = await userService.findByEmail(ctx, email)
  if (user === null) return false
  const since = new Date(ctx.clock() - OWN_ADDRESS_MS).toISOString()
  const own = await auditService.addressesOf(ctx, { actorId: user.id, call: SIGN_IN_CALL, since })
  return own.some((each) => networkOf(each) === networkOf(ip))
}

/** One line of audit a window: a flood of tries is no flood of lines. */
async function refusedByLimit(
  ctx: Context,
  { email, ip }: Attempt,
  { waitMs, isFirst }: TooSoon,
): Promise<AppError> {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  if (isFirst) {
    const user = await userService.findByEmail(ctx, email)
    await note(ctx, user, ip, `too many attempts; the next is taken in ${wait}`)
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
  await auditService.record(ctx, {
    actor: who,
    call: SIGN_IN_CALL,
    object: who === null ? null : { kind: 'user', id: who.id },
    result: refusal === '' ? 'done' : 'refused',
    ip,
    reason: refusal,
  })
}

/** The caller's own session is ended with the others. */
export async function endEverywhere(
  ctx: Context,
  actor: Actor,
  ip: string,
): Promise<ReplyOf<typeof signOutEverywhere>> {
  await userService.endSessions(ctx, actor, actor.id, ip)
  return { status: true }
}

/**
 * A fresh token for who is signed in, so that 12 hours count from the last use. What is remembered
 * of a session may be a second old: one that has ended meanwhile gets no token that lives on.
 */
export async function renew(ctx: Context, actor: SignedIn): Promise<ReplyOf<typeof jwtLogin>> {
  const user = await userService.find(ctx, actor.id)
  if (user?.tokenVersion !== actor.tokenVersion) throw unauthenticated(REVOKED)
  return sessionReply(ctx, user, actor.signedInMs)
}

/** `header`: Authorization as it came. Throws Unauthenticated for anything but a live session. */
export async function resume(ctx: Context, header: string | undefined): Promise<SignedIn> {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw unauthenticated(SIGN_IN)
  const claims = readToken(ctx.keys.tokenSecret, token, ctx.clock())
  if (claims === null || hasEnded(ctx, claims)) throw unauthenticated(SIGN_IN_AGAIN)
  const actor = await remembered(ctx, claims.userId)
  if (actor === null || actor.tokenVersion !== claims.version) {
    throw unauthenticated(REVOKED)
  }
  return { ...actor, signedInMs: claims.signedInMs }
}

/** However often it was renewed. */
function hasEnded(ctx: Context, { signedInMs }: TokenClaims): boolean {
  return ctx.clock() - signedInMs > ctx.config.sessionDays * DAY_MS
}

function sessionReply(
  ctx: Context,
  user: userService.UserRecord,
  signedInMs: number,
): ReplyOf<typeof login> {
  const claims = { userId: user.id, version: user.tokenVersion, signedInMs }
  const token = signToken(ctx.keys.tokenSecret, claims, ctx.clock())
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
    token,
  }
  return { status: true, user: sessionUser, token }
}
