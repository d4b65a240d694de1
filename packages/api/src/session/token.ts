/** Session tokens: HS256, 12 hours, renewed by every session check (Q12). */
import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { z } from 'zod'

const ISSUER = 'trunkline'
const AUDIENCE = 'trunkline-console'
const LIFE_S = 12 * 3600
/** Two clocks may differ by this much. */
const TOLERANCE_S = 60

const Claims = z.object({ sub: z.string(), ver: z.number().int() })
export type TokenClaims = { userId: string; version: number }

export function signToken(secret: Buffer, claims: TokenClaims, nowMs: number): string {
  const sign = createSigner({ key: secret, algorithm: 'HS256' })
  const issuedS = Math.floor(nowMs / 1000)
  return sign({
    sub: claims.userId,
    ver: claims.version,
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
    requiredClaims: ['sub', 'ver', 'exp', 'iat'],
    clockTimestamp: nowMs,
    clockTolerance: TOLERANCE_S * 1000,
  })
  try {
    const claims = Claims.safeParse(verify(token))
    return claims.success ? { userId: claims.data.sub, version: claims.data.ver } : null
  } catch {
    return null
  }
}
