/** What an authenticator app shows; alone, so that browser tests load nothing of the API with it. */
import { TOTP } from 'otpauth'

/** `secret` in base32; `atMs`: milliseconds since 1970. */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: atMs })
}
