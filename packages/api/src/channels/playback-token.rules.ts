/** Makes the token of a playback link; our own channel server checks it (its playback-access.ts). */
import { createHmac, hkdfSync } from 'node:crypto'
import {
  PLAYBACK_KEY_LABEL,
  signedText,
  tokenText,
} from '@trunkline/contract/channels/playback-token.rules'

const KEY_BYTES = 32

/** `seatKey`: of the channel server, as its configuration has it. `expiresAtS`: seconds since 1970. */
export function playbackToken(seatKey: string, streamName: string, expiresAtS: number): string {
  const key = Buffer.from(hkdfSync('sha256', seatKey, '', PLAYBACK_KEY_LABEL, KEY_BYTES))
  const signature = createHmac('sha256', key)
    .update(signedText(streamName, expiresAtS))
    .digest('base64url')
  return tokenText({ expiresAtS, signature })
}
