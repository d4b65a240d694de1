/** How the player asks for playlists and segments. */
import { useCallback, useEffect, useRef } from 'react'
import { readSession } from '../../lib/session.ts'
import type { MediaRequest } from './hls.client.ts'
import { carriesToken, withPlaybackToken } from './player.rules.ts'

/**
 * `direct`: the newest link to the channel's own server, '' while unknown. The answer stays the same
 * function; it is called before every request, since both tokens are renewed while a player lives.
 */
export function useMediaRequest(direct: string): (url: string) => MediaRequest {
  const newest = useRef(direct)
  useEffect(() => {
    newest.current = direct
  })
  return useCallback((url) => {
    const isOurs = carriesToken(url, new URL(location.href))
    return {
      address: withPlaybackToken(url, newest.current),
      sessionToken: isOurs ? (readSession()?.token ?? '') : '',
    }
  }, [])
}
