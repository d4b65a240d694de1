/** The OpenID Connect provider of this site: what it says of itself, and the exchange of codes. */
import { readFile } from 'node:fs/promises'
import { HOUR_MS } from '@trunkline/contract/durations'
import * as client from 'openid-client'
import type { Context } from '../../context.ts'
import { unavailable, unauthenticated, type AppError } from '../../errors.ts'
import type { OidcConfig } from '../../security/oidc-settings.ts'

/** Somebody waits for it before a sign-in page. */
const TIMEOUT_S = 5
/** What the provider says of itself, its keys too, is read again after that. */
const KEPT_MS = HOUR_MS
/** Before somebody is sent there it has answered as lately as this. */
const SEEN_MS = 10_000
/** Two clocks may differ by this much, as for our own tokens. */
const TOLERANCE_S = 60

interface Known {
  configuration: Promise<client.Configuration>
  readMs: number
}

const known = new WeakMap<Context, Known>()

/** Throws 503 with a sentence while it is away. */
export async function providerOf(ctx: Context, oidc: OidcConfig): Promise<client.Configuration> {
  const kept = known.get(ctx)
  const isFresh = kept !== undefined && ctx.clock() - kept.readMs < KEPT_MS
  const read = isFresh ? kept : { configuration: discover(oidc), readMs: ctx.clock() }
  known.set(ctx, read)
  try {
    return await read.configuration
  } catch (error) {
    if (known.get(ctx) === read) known.delete(ctx)
    throw away(ctx, oidc, error)
  }
}

/**
 * The same, where somebody is sent to it: of a provider that is away the browser would show a page of its
 * own, without a way back.
 */
export async function providerToVisit(
  ctx: Context,
  oidc: OidcConfig,
): Promise<client.Configuration> {
  const kept = known.get(ctx)
  if (kept !== undefined && ctx.clock() - kept.readMs >= SEEN_MS) known.delete(ctx)
  return providerOf(ctx, oidc)
}

async function discover(oidc: OidcConfig): Promise<client.Configuration> {
  const { clientSecretFile: file } = oidc
  const secret = file === null ? '' : (await readFile(file, 'utf8')).trim()
  const authentication = secret === '' ? client.None() : client.ClientSecretBasic(secret)
  const isHttp = oidc.issuer.startsWith('http:')
  const metadata = { [client.clockTolerance]: TOLERANCE_S }
  return client.discovery(new URL(oidc.issuer), oidc.clientId, metadata, authentication, {
    timeout: TIMEOUT_S,
    // The settings allow http on this machine only. Signatures are checked over TLS too.
    execute: [client.enableNonRepudiationChecks, ...(isHttp ? [client.allowInsecureRequests] : [])],
  })
}

/**
 * An answer in the fragment of the address reaches no server, and so no log of one. OpenID Connect
 * Discovery 1.0, 3: without a list it can do 'query' and 'fragment'.
 */
export function responseModeOf(provider: client.Configuration): 'fragment' | 'query' {
  const modes = provider.serverMetadata().response_modes_supported
  return modes === undefined || modes.includes('fragment') ? 'fragment' : 'query'
}

/**
 * Null when it names no page for that. `idToken`: of the session that ends, by which the provider knows
 * who is meant; without it several ask, or refuse (RP-Initiated Logout 1.0, 2).
 */
export function signOutUrlOf(
  provider: client.Configuration,
  oidc: OidcConfig,
  idToken: string | null,
): string | null {
  if (provider.serverMetadata().end_session_endpoint === undefined) return null
  return client.buildEndSessionUrl(provider, {
    post_logout_redirect_uri: redirectOf(oidc),
    ...(idToken === null ? {} : { id_token_hint: idToken }),
  }).href
}

export interface Answered {
  /** Of the address that the provider sent the browser to. */
  answer: string
  state: string
  nonce: string
  verifier: string
}

export interface Exchanged {
  /** Of the ID token, and those of the user info, of the same subject. */
  claims: Record<string, unknown>
  idToken: string
}

/** Exchanges the code. Throws 401 and 503. */
export async function exchange(
  ctx: Context,
  oidc: OidcConfig,
  { answer, state, nonce, verifier }: Answered,
): Promise<Exchanged> {
  const provider = await providerOf(ctx, oidc)
  const address = new URL(redirectOf(oidc))
  address.search = answer
  try {
    const tokens = await client.authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    const { id_token: idToken } = tokens
    if (claims === undefined || idToken === undefined) throw new Error('There is no ID token.')
    const hasInfo = provider.serverMetadata().userinfo_endpoint !== undefined
    const info = hasInfo
      ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : {}
    return { claims: { ...info, ...claims }, idToken }
  } catch (error) {
    throw exchangeFault(ctx, oidc, error)
  }
}

/** Where the provider sends people back to: the sign-in page. */
export function redirectOf({ publicUrl }: OidcConfig): string {
  return `${publicUrl}/login`
}

function exchangeFault(ctx: Context, oidc: OidcConfig, error: unknown): AppError {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return unauthenticated(
      `${oidc.name} did not sign you in: it was cancelled there, or your account may not sign in here. Start again, or ask the admin of ${oidc.name} for access.`,
    )
  }
  if (isAway(error)) return away(ctx, oidc, error)
  ctx.log.warn({ err: error }, 'An answer of the sign-in provider was not accepted.')
  return unauthenticated(
    `The answer of ${oidc.name} was not accepted. Start again. If that fails too, ask an admin to read the log of the API.`,
  )
}

/** `fetch` throws a TypeError when nobody answers, and the timeout's own error. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : ''
  return (
    code === 'OAUTH_TIMEOUT' ||
    error.name === 'TimeoutError' ||
    (error instanceof TypeError && error.message === 'fetch failed')
  )
}

function away(ctx: Context, { name, issuer }: OidcConfig, error: unknown): AppError {
  ctx.log.warn({ err: error, issuer }, 'The sign-in provider cannot be used.')
  return unavailable(
    `${name} does not answer. Try again later. Local accounts can sign in with e-mail and password meanwhile.`,
  )
}
