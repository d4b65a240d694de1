/** The text of an API token: a prefix that secret scanners know, and 192 random bits. */
import { createHash, randomBytes } from 'node:crypto'
import { API_TOKEN_PREFIX } from '@trunkline/contract/users/api-token.schema'

const RANDOM_BYTES = 24
const SHOWN_CHARACTERS = 8
const WHOLE = new RegExp(`^${API_TOKEN_PREFIX}[0-9a-f]{${RANDOM_BYTES * 2}}$`)

export function newTokenText(): string {
  return `${API_TOKEN_PREFIX}${randomBytes(RANDOM_BYTES).toString('hex')}`
}

/** SHA-256, hexadecimal: nobody guesses 192 bits, so a slow hash would add nothing. Null for other texts. */
export function tokenHash(text: string): string | null {
  return WHOLE.test(text) ? createHash('sha256').update(text).digest('hex') : null
}

/** 'trk_1a2b': enough to recognise it. */
export function tokenStart(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS)
}
