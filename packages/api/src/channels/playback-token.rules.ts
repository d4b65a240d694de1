/** Makes the token of a playback link; our own channel server checks it (its playback-access.ts). */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import {
  PLAYBACK_KEY_LABEL,
  signedText,
  tokenText,
} from '@trunkline/contract/channels/playback-token.rules'

const KEY_BYTES = 32

/** `seatKey`: of the channel server, as its configuration has it. `expiresAtS`: seconds since 1970. */
export function playbackToken(seatKey: string, streamName: string, expiresAtS: number): string {
  const signature = createHmac('sha256', keyFor(seatKey))
    .update(signedText(streamName, expiresAtS))
    .digest('base64url')
  return tokenText({ expiresAtS, signature })
}

/** More than a site has channel servers; each segment of each player needs the key of its server. */
const KEPT_KEYS = 100
const kept = new Map<string, KeyObject>()

function keyFor(seatKey: string): KeyObject {
  const known = kept.get(seatKey)
  if (known !== undefined) return known
  const key = Buffer.from(hkdfSync('sha256', seatKey, '', PLAYBACK_KEY_LABEL, KEY_BYTES))
  const made = createSecretKey(key)
  if (kept.size >= KEPT_KEYS) kept.clear()
  kept.set(seatKey, made)
  return made
}
