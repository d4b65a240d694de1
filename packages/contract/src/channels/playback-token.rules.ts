/**
 * The token of a playback link, `<expiry>-<signature>`: what is signed and how it is written. The
 * API makes it and our channel server checks it; both take the HMAC key from the seat's key, which
 * they share already, so no further secret is stored or sent.
 */

/** HKDF's `info`: keeps this key apart from any other that is derived from a seat's key. */
export const PLAYBACK_KEY_LABEL = 'trunkline playback 1'
/** Name of the parameter in the query. */
export const PLAYBACK_PARAMETER = 'token'

export interface PlaybackToken {
  /** Seconds since 1970; from then on it is refused. */
  expiresAtS: number
  /** HMAC-SHA256 of `signedText`, base64url. */
  signature: string
}

/** A stream's name holds no space, so no other name and expiry give the same text. */
export function signedText(streamName: string, expiresAtS: number): string {
  return `${expiresAtS} ${streamName}`
}

export function tokenText({ expiresAtS, signature }: PlaybackToken): string {
  return `${expiresAtS}-${signature}`
}

/** null for what is no token. */
export function readToken(text: string): PlaybackToken | null {
  const [, expiry, signature] = /^([1-9]\d{0,11})-([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (expiry === undefined || signature === undefined) return null
  return { expiresAtS: Number(expiry), signature }
}

/** The query that an address without one gets. Tokens have no character that needs encoding. */
export function tokenQuery(token: string): string {
  return `?${PLAYBACK_PARAMETER}=${token}`
}
