/** The player of one tile: there while its picture is wanted, and nothing of it left afterwards. */
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import type { MediaRequest } from '../channels/player/hls.client.ts'
import { useMediaRequest } from '../channels/player/media-request.hook.ts'
import { HLS } from '../channels/player/player.loader.ts'
import { LivePlayer, type PlayerView } from '../channels/player/player.ts'
import { useLater } from '../lib/later.ts'
import { wantsPlayer } from './tile.rules.ts'

interface TilePlayerInput {
  /** Playlist addresses, best first; undefined while they are not known. */
  sources: readonly string[] | undefined
  /** The newest link to the channel's own server, '' while unknown. */
  direct: string
  /** In sight, on a page that is shown, and not open in the detail. */
  isSeen: boolean
  reading: StreamReading
}

/** Why a tile cannot have a player; null: none is known. */
export type TileFault = 'cannot play' | 'not loaded' | null

interface TilePlayer {
  /** null while there is no player. */
  view: PlayerView | null
  fault: TileFault
}

type Hls = Awaited<ReturnType<typeof HLS.queryFn>>

const hearNothing = () => () => undefined
const nothing = () => null

export function useTilePlayer(
  video: RefObject<HTMLVideoElement | null>,
  { sources, direct, isSeen, reading }: TilePlayerInput,
): TilePlayer {
  const [player, setPlayer] = useState<LivePlayer | null>(null)
  const view = useSyncExternalStore<PlayerView | null>(
    player?.subscribe ?? hearNothing,
    player?.view ?? nothing,
  )
  // A new list may hold the same addresses, and those keep their player.
  const addresses = sources?.join(' ') ?? ''
  const phase = view?.state ?? null
  const isWanted = isSeen && addresses !== '' && wantsPlayer(reading, phase)
  const loaded = useLater(HLS, isWanted)
  const hls = isWanted && typeof loaded !== 'string' && loaded.canPlay() ? loaded : null
  const requestFor = useMediaRequest(direct)
  useEffect(() => {
    if (hls === null) return
    let made: LivePlayer | null = null
    const leave = takeTurn(() => {
      if (video.current === null) return
      made = makePlayer(hls, video.current, addresses.split(' '), requestFor)
      setPlayer(made)
    })
    return () => {
      leave()
      made?.[Symbol.dispose]()
      setPlayer(null)
    }
  }, [hls, addresses, video, requestFor])
  return { view, fault: faultOf(loaded) }
}

function faultOf(loaded: Hls | 'loading' | 'failed'): TileFault {
  if (loaded === 'loading') return null
  if (loaded === 'failed') return 'not loaded'
  return loaded.canPlay() ? null : 'cannot play'
}

function makePlayer(
  hls: Hls,
  video: HTMLVideoElement,
  sources: readonly string[],
  requestFor: (url: string) => MediaRequest,
): LivePlayer {
  return new LivePlayer({
    video,
    sources,
    isAlive: true,
    createEngine: (address, events) => hls.createHlsEngine(address, requestFor, events, 'tile'),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  })
}

/*
 * Players start one after the other: sixteen at once would each wait for all others' playlists,
 * and the page would stand still meanwhile.
 */

/** A first segment is there within about that time on a usual line. */
const TURN_EVERY_MS = 250

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | null = null

function next(): void {
  timer = null
  const [first] = waiting
  if (first === undefined) return
  waiting.delete(first)
  // Before it begins: one that cannot must not keep the others waiting for good.
  timer = setTimeout(next, TURN_EVERY_MS)
  first()
}

/** Calls back once it is this one's turn: at once when nobody waits. @returns gives the place up */
export function takeTurn(begin: () => void): () => void {
  waiting.add(begin)
  timer ??= setTimeout(next, 0)
  return () => {
    waiting.delete(begin)
  }
}
