import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time whatever differs. Of hashes, because the comparison needs equal lengths. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
