/** Who may speak to the media API: whoever has the seat's key, as media servers take it. */
import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * `Bearer <key>`; `Basic <key>`, as media servers take their ready-made token; or the key as the
 * password of any user, as browsers and curl send it. Takes the same time whatever the key.
 */
export function isAllowed(authorization: string | undefined, key: string): boolean {
  const [, scheme = '', token = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization ?? '') ?? []
  const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString() : ''
  const password = decoded.slice(decoded.indexOf(':') + 1)
  const [byToken, byPassword] = [isSame(token, key), isSame(password, key)]
  return byToken || byPassword
}

/** Takes the same time whatever differs. */
export function isSame(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key))
}

/** Equal lengths, which the comparison needs, and no length told. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
