/** Who may speak to a seat: whoever has its key. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const WRONG_KEY =
  'The key is not the one of this seat. Compare the API key of the record with the agent’s configuration.'

/** `Authorization: Bearer <key>`. Takes the same time whatever the key. */
export function hasKey(request: IncomingMessage, key: string): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(key))
}

/** Equal lengths, which the comparison needs, and no length told. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
