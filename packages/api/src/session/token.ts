/** Session tokens: HS256, 12 hours, renewed by every session check until the session's own end (Q12). */
import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { z } from 'zod'
import { SESSION_IDLE_MS } from '../users/sessions/user-session.service.ts'

const ISSUER = 'trunkline'
const AUDIENCE = 'trunkline-console'
const LIFE_S = SESSION_IDLE_MS / 1000
/** Two clocks may differ by this much. */
const TOLERANCE_S = 60
const KNOWN_TOKENS = 10_000

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().optional(),
})

export interface TokenClaims {
  userId: string
  /** Which renewals keep. */
  sessionId: string
}

export function signToken(secret: Buffer, claims: TokenClaims, nowMs: number): string {
  const sign = createSigner({ key: secret, algorithm: 'HS256' })
  const issuedS = Math.floor(nowMs / 1000)
  return sign({
    sub: claims.userId,
    sid: claims.sessionId,
    iss: ISSUER,
    aud: AUDIENCE,
    jti: randomUUID(),
    iat: issuedS,
    exp: issuedS + LIFE_S,
  })
}

/** Null for anything that is not a whole, unexpired token of ours. Revocation is the caller's. */
export function readToken(secret: Buffer, token: string, nowMs: number): TokenClaims | null {
  const claims = readerOf(secret).read(token)
  if (claims === null) return null
  const { sub, sid, iat, exp, nbf = 0 } = claims
  const nowS = nowMs / 1000
  if (Math.max(iat, nbf) > nowS + TOLERANCE_S || exp <= nowS - TOLERANCE_S) return null
  return { userId: sub, sessionId: sid }
}

type Claims = z.output<typeof Claims>

/** Of one secret. Whether a token is ours never changes, so it is computed once: every call has one. */
class TokenReader {
  readonly #verify: (token: string) => unknown
  readonly #known = new Map<string, Claims>()

  constructor(secret: Buffer) {
    this.#verify = createVerifier({
      key: secret,
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'iss', 'aud', 'exp', 'iat'],
      // Looked at with each call, by our own clock.
      ignoreExpiration: true,
      ignoreNotBefore: true,
    })
  }

  /** Null for what is not ours. */
  read(token: string): Claims | null {
    const known = this.#known.get(token)
    if (known !== undefined) return known
    const claims = this.#verified(token)
    if (claims === null) return null
    if (this.#known.size >= KNOWN_TOKENS) this.#known.clear()
    this.#known.set(token, claims)
    return claims
  }

  #verified(token: string): Claims | null {
    try {
      return Claims.safeParse(this.#verify(token)).data ?? null
    } catch {
      return null
    }
  }
}

const readers = new WeakMap<Buffer, TokenReader>()

function readerOf(secret: Buffer): TokenReader {
  const made = readers.get(secret) ?? new TokenReader(secret)
  readers.set(secret, made)
  return made
}
