/** Who may load playlists and segments of a channel server: holders of a playback link, or anybody. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import {
  PLAYBACK_KEY_LABEL,
  PLAYBACK_PARAMETER,
  readToken,
  signedText,
  tokenQuery,
} from '@trunkline/contract/channels/playback-token.rules'
import { isSameSecret } from '../../secret.ts'

/** `query`: what the addresses in a playlist get, so that they are allowed as it was; '' for nothing. */
type PlaybackAccess = { isAllowed: true; query: string } | { isAllowed: false }

/** Of a request for a file of this stream, with its parsed query. */
export type PlaybackCheck = (streamName: string, query: unknown) => PlaybackAccess

const KEY_BYTES = 32

/** `clock`: milliseconds since 1970. */
export function playbackCheck(
  { key, playback }: Pick<Seat, 'key' | 'playback'>,
  clock: () => number,
): PlaybackCheck {
  if (playback !== 'signed') return () => ({ isAllowed: true, query: '' })
  const playbackKey = Buffer.from(hkdfSync('sha256', key, '', PLAYBACK_KEY_LABEL, KEY_BYTES))
  return (streamName, query) => {
    const text = tokenIn(query)
    const token = readToken(text)
    if (token === null) return { isAllowed: false }
    const signature = createHmac('sha256', playbackKey)
      .update(signedText(streamName, token.expiresAtS))
      .digest('base64url')
    const isGenuine = isSameSecret(token.signature, signature)
    const isExpired = clock() >= token.expiresAtS * 1000
    return isGenuine && !isExpired
      ? { isAllowed: true, query: tokenQuery(text) }
      : { isAllowed: false }
  }
}

/** '' without one; a parameter that is given twice is a list, and counts as none. */
function tokenIn(query: unknown): string {
  const value = (query as Record<string, unknown>)[PLAYBACK_PARAMETER]
  return typeof value === 'string' ? value : ''
}
