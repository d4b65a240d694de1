/** Session tokens: HS256, 12 hours, renewed by every session check until the session's own end (Q12). */
import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { z } from 'zod'

const ISSUER = 'trunkline'
const AUDIENCE = 'trunkline-console'
const LIFE_S = 12 * 3600
/** Two clocks may differ by this much. */
const TOLERANCE_S = 60

const Claims = z.object({
  sub: z.string(),
  ver: z.number().int(),
  iat: z.number(),
  /** Tokens of before this was written down count from when they were made. */
  signed_in: z.number().optional(),
})

export interface TokenClaims {
  userId: string
  version: number
  /** Of the password, which renewals keep. */
  signedInMs: number
}

export function signToken(secret: Buffer, claims: TokenClaims, nowMs: number): string {
  const sign = createSigner({ key: secret, algorithm: 'HS256' })
  const issuedS = Math.floor(nowMs / 1000)
  return sign({
    sub: claims.userId,
    ver: claims.version,
    iss: ISSUER,
    aud: AUDIENCE,
    jti: randomUUID(),
    signed_in: Math.floor(claims.signedInMs / 1000),
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
    requiredClaims: ['sub', 'ver', 'iss', 'aud', 'exp', 'iat'],
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

/** Null for what was made, or signed in, later than now. */
function claimsOf(claims: z.output<typeof Claims>, nowMs: number): TokenClaims | null {
  const { sub, ver, iat, signed_in: signedInS = iat } = claims
  const latestS = nowMs / 1000 + TOLERANCE_S
  if (iat > latestS || signedInS > latestS) return null
  return { userId: sub, version: ver, signedInMs: signedInS * 1000 }
}
