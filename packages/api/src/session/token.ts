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

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  iat: z.number(),
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
  const verify = createVerifier({
    key: secret,
    algorithms: ['HS256'],
    allowedIss: ISSUER,
    allowedAud: AUDIENCE,
    requiredClaims: ['sub', 'sid', 'iss', 'aud', 'exp', 'iat'],
    clockTimestamp: nowMs,
    clockTolerance: TOLERANCE_S * 1000,
  })
  try {
    const claims = Claims.safeParse(verify(token))
    return claims.success ? claimsOf(claims.data, nowMs) : null
  } catch {
    return null
  }
}

/** Null for what was made later than now. */
function claimsOf({ sub, sid, iat }: z.output<typeof Claims>, nowMs: number): TokenClaims | null {
  return iat > nowMs / 1000 + TOLERANCE_S ? null : { userId: sub, sessionId: sid }
}
