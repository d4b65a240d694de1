/** The player of one tile: there while its picture is wanted, and nothing of it left afterwards. */
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import type { StreamReading } from '../channels/channel-view.rules.ts'
import { canPlay, createHlsEngine, type MediaRequest } from '../channels/player/hls.client.ts'
import { useMediaRequest } from '../channels/player/media-request.hook.ts'
import { LivePlayer, type PlayerView } from '../channels/player/player.ts'
import { wantsPlayer } from './tile.rules.ts'
import { takeTurn } from './turns.ts'

interface TilePlayerInput {
  /** Playlist addresses, best first; undefined while they are not known. */
  sources: readonly string[] | undefined
  /** The newest link to the channel's own server, '' while unknown. */
  direct: string
  /** In sight, on a page that is shown, and not open in the detail. */
  isSeen: boolean
  reading: StreamReading
}

const hearNothing = () => () => undefined
const nothing = () => null

/** @returns null while there is no player */
export function useTilePlayer(
  video: RefObject<HTMLVideoElement | null>,
  { sources, direct, isSeen, reading }: TilePlayerInput,
): PlayerView | null {
  const [player, setPlayer] = useState<LivePlayer | null>(null)
  const view = useSyncExternalStore<PlayerView | null>(
    player?.subscribe ?? hearNothing,
    player?.view ?? nothing,
  )
  // A new list may hold the same addresses, and those keep their player.
  const addresses = sources?.join(' ') ?? ''
  const phase = view?.state ?? null
  const isWanted = isSeen && addresses !== '' && wantsPlayer(reading, phase) && canPlay()
  const requestFor = useMediaRequest(direct)
  useEffect(() => {
    if (!isWanted) return
    let made: LivePlayer | null = null
    const leave = takeTurn(() => {
      if (video.current === null) return
      made = makePlayer(video.current, addresses.split(' '), requestFor)
      setPlayer(made)
    })
    return () => {
      leave()
      made?.[Symbol.dispose]()
      setPlayer(null)
    }
  }, [isWanted, addresses, video, requestFor])
  return view
}

function makePlayer(
  video: HTMLVideoElement,
  sources: readonly string[],
  requestFor: (url: string) => MediaRequest,
): LivePlayer {
  return new LivePlayer({
    video,
    sources,
    isAlive: true,
    createEngine: (address, events) => createHlsEngine(address, requestFor, events, 'tile'),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  })
}
