/** Sign-in by the OpenID Connect provider of the site: begun here, ended by its answer (ADR 0069). */
import { createHash, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { beginOidc, endOidc, signInWays } from '@trunkline/contract/session/oidc.calls'
import * as client from 'openid-client'
import * as auditService from '../../audit/audit.service.ts'
import type { Context } from '../../context.ts'
import { AppError, notFound, tooMany, unauthenticated } from '../../errors.ts'
import { randomKey } from '../../security/keys.ts'
import { networkOf } from '../../security/network.rules.ts'
import type { OidcConfig } from '../../security/oidc-settings.ts'
import * as providerPersonService from '../../users/provider/provider-person.service.ts'
import * as userService from '../../users/user.service.ts'
import * as userSessionService from '../../users/sessions/user-session.service.ts'
import type { Client, UserSession } from '../../users/sessions/user-session.service.ts'
import { sessionReply } from '../session-reply.ts'
import { authenticatedAtOf, personOf } from './claims.ts'
import * as flowStore from './flow.store.ts'
import {
  exchange,
  providerOf,
  providerToVisit,
  redirectOf,
  responseModeOf,
  signOutUrlOf,
} from './provider.ts'

/** Time to sign in there, with a second factor. */
const FLOW_MS = 10 * MINUTE_MS
/** Sign-ins under way from one network: a whole control room, and no way to fill the database. */
const FLOWS_OF_NETWORK = 500
/** 192 bits, as API tokens have. */

const IS_OVER =
  'This sign-in has expired, was used already, or was started in another browser. Start again.'

/** How people sign in here, for the sign-in page. Asks nobody. */
export function ways({ config: { oidc } }: Context): ReplyOf<typeof signInWays> {
  return { status: true, provider: oidc === null ? null : { name: oidc.name } }
}

/** Throws 503 while the provider is away. */
export async function begin(
  ctx: Context,
  { again }: BodyOf<typeof beginOidc>,
  ip: string,
): Promise<ReplyOf<typeof beginOidc>> {
  const oidc = settingsOf(ctx)
  const provider = await providerToVisit(ctx, oidc)
  const [state, binding] = [randomKey(), randomKey()]
  const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()]
  const [nowMs, network] = [ctx.clock(), networkOf(ip)]
  const flow: flowStore.StoredFlow = {
    id: hashOf(state),
    binding: hashOf(binding),
    nonce,
    verifierSealed: ctx.keys.seal(verifier),
    network,
    expiresAt: new Date(nowMs + FLOW_MS).toISOString(),
  }
  await flowStore.removeExpired(ctx.db, new Date(nowMs).toISOString())
  if ((await flowStore.countOf(ctx.db, network)) >= FLOWS_OF_NETWORK) {
    const waitS = FLOW_MS / 1000
    throw tooMany('Too many sign-ins were started from your network. Try again later.', waitS)
  }
  await flowStore.insert(ctx.db, flow)
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectOf(oidc),
    scope: oidc.scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    response_mode: responseModeOf(provider),
    // 'login' alone is followed by some without saying when it was (OpenID Connect Core 1.0, 3.1.2.1).
    ...(again ? { prompt: 'login', max_age: '0' } : {}),
  })
  return { status: true, url: url.href, binding }
}

/** Throws Unauthenticated for whatever is not the end of a sign-in that this browser began. */
export async function end(
  ctx: Context,
  { answer, binding }: BodyOf<typeof endOidc>,
  from: Client,
): Promise<{ sessionId: string; reply: ReplyOf<typeof endOidc> }> {
  const oidc = settingsOf(ctx)
  const state = new URLSearchParams(answer).get('state') ?? ''
  const flow = await flowStore.take(ctx.db, hashOf(state), new Date(ctx.clock()).toISOString())
  // Whoever sends somebody else's answer into a browser would sign that browser in as themselves.
  if (flow === null || !isSame(flow.binding, hashOf(binding))) throw unauthenticated(IS_OVER)
  const verifier = ctx.keys.open(flow.verifierSealed)
  try {
    const { nonce } = flow
    const { claims, idToken } = await exchange(ctx, oidc, { answer, state, nonce, verifier })
    const person = personOf(oidc, claims)
    if (typeof person === 'string') throw unauthenticated(person)
    const user = await providerPersonService.follow(ctx, person, from.ip)
    const session = await userSessionService.begin(ctx, user, from, {
      idTokenSealed: ctx.keys.seal(`${oidc.issuer} ${idToken}`),
      authenticatedAt: authenticatedAtOf(claims, ctx.clock()),
    })
    if (session === null) throw unauthenticated(IS_OVER)
    await note(ctx, user, from.ip, '')
    // It stays in the browser: without the token, which the API adds when the session ends.
    const signOutUrl = signOutUrlOf(await providerOf(ctx, oidc), oidc, null)
    return { sessionId: session.id, reply: { ...sessionReply(ctx, user, session.id), signOutUrl } }
  } catch (error) {
    if (error instanceof AppError) await note(ctx, null, from.ip, error.message)
    throw error
  }
}

/**
 * Where the session at the provider is ended of which this one here came. Null when it began with a
 * password, or by a provider of before, and while the provider is away: its page can be found again.
 */
export async function signOutUrlAfter(
  ctx: Context,
  session: UserSession | null,
): Promise<string | null> {
  const { oidc } = ctx.config
  if (oidc === null || session === null || session.idTokenSealed === null) return null
  // Neither an address nor a token has a space.
  const [issuer, idToken = ''] = ctx.keys.open(session.idTokenSealed).split(' ')
  // The token is for nobody else.
  if (issuer !== oidc.issuer) return null
  return providerOf(ctx, oidc).then(
    (provider) => signOutUrlOf(provider, oidc, idToken),
    () => null,
  )
}

function settingsOf({ config: { oidc } }: Context): OidcConfig {
  if (oidc === null) throw notFound('sign-in provider')
  return oidc
}

/** A refused one is nobody's: who tried is what the provider did not say, or what was not accepted. */
async function note(
  ctx: Context,
  user: userService.UserRecord | null,
  ip: string,
  refusal: string,
): Promise<void> {
  await auditService.recordIfRoom(ctx, {
    actor: user === null ? null : userService.actorOf(user),
    call: 'session.endOidc',
    object: user === null ? null : { kind: 'user', id: user.id },
    result: refusal === '' ? 'done' : 'refused',
    ip,
    reason: refusal,
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
