/** Codes of a second factor: TOTP as every authenticator app makes them, and recovery codes. */
import { createHash, randomBytes } from 'node:crypto'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { Secret, TOTP } from 'otpauth'

/** What apps assume when nothing else is said (RFC 6238, and Google's key URI format). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** 160 bits: as long as the output of SHA-1 (RFC 4226, 4). */
const SECRET_BYTES = 20
/** Two clocks may differ by one step; so a code counts for 90 s at most. */
const WINDOW_STEPS = 1
const RECOVERY_CODES = 10
/** 80 bits: too many to guess, also from their SHA-256 in a copied database. */
const RECOVERY_BYTES = 10

/** In base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** For a QR code. `email` names the account in the app. */
export function uriOf(secret: string, email: string): string {
  return new TOTP({ ...SETTINGS, issuer: PRODUCT_NAME, label: email, secret }).toString()
}

/** The step since 1970 that the code belongs to; null for a code of no step near now. */
export function stepOf(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...SETTINGS, secret })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS })
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta
}

/** Ten, each written in groups of four: 'abcd-efgh-2345-6789'. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = Secret.fromHex(randomBytes(RECOVERY_BYTES).toString('hex'))
    return base32.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** SHA-256, hexadecimal, however the code was typed; null for what is no recovery code. */
export function recoveryHash(code: string): string | null {
  const bare = code.replaceAll('-', '')
  return /^[a-z2-7]{16}$/.test(bare) ? createHash('sha256').update(bare).digest('hex') : null
}
