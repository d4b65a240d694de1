/** The live picture with our own buttons. What happens behind it is player.ts. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { noPictureText } from '../channel.messages.ts'
import { canPlay, createHlsEngine, type MediaRequest } from './hls.client.ts'
import { useMediaRequest } from './media-request.hook.ts'
import { PictureChips } from './PictureChips.tsx'
import { LivePlayer, type PlayerView } from './player.ts'
import { PlayerControls } from './PlayerControls.tsx'
import { PlayerFrame, PlayerNote } from './PlayerFrame.tsx'
import classes from './Player.module.css'

interface PlayerProps {
  title: string
  /** Playlist addresses, best first. A new list is a new player: the key's work. */
  sources: readonly string[]
  /** The newest link to the channel's own server; it is renewed while the player lives. */
  direct: string
  isAlive: boolean
  /** False: its server says that the stream has none. */
  hasSound?: boolean
  /** Why browsers cannot show it, as its server says; '' when they can. Some can all the same. */
  unplayable?: string
  /** Who else wants to see what it knows; null when it is gone. */
  onPlayer?: (player: LivePlayer | null) => void
}

const NOTHING_YET: PlayerView = {
  state: { phase: 'loading' },
  secondsBehind: null,
  playlistAgeS: null,
  playlist: null,
  bitrateKbps: null,
  width: 0,
  height: 0,
  rebuilds: 0,
}
const hearNothing = () => () => undefined

export function Player(props: PlayerProps) {
  const { title, sources, direct, isAlive, hasSound = true, unplayable = '', onPlayer } = props
  const video = useRef<HTMLVideoElement>(null)
  const [player, setPlayer] = useState<LivePlayer | null>(null)
  const requestFor = useMediaRequest(direct)
  useEffect(() => {
    if (video.current === null || !canPlay()) return
    const made = makePlayer(video.current, sources, isAlive, requestFor)
    setPlayer(made)
    onPlayer?.(made)
    return () => {
      onPlayer?.(null)
      made[Symbol.dispose]()
    }
    // None of them changes during one player's life; whether the stream is alive later is no matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const view = useSyncExternalStore(
    player?.subscribe ?? hearNothing,
    player?.view ?? (() => NOTHING_YET),
  )
  return (
    <PlayerFrame note={noteOf(view, player, unplayable)}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live feed brings none */}
      <video ref={video} className={classes.video} muted playsInline aria-label={title} />
      <PictureChips view={view} video={video} hasSound={hasSound} />
      {player !== null && <PlayerControls player={player} view={view} video={video} />}
    </PlayerFrame>
  )
}

function makePlayer(
  video: HTMLVideoElement,
  sources: readonly string[],
  isAlive: boolean,
  requestFor: (url: string) => MediaRequest,
): LivePlayer {
  return new LivePlayer({
    video,
    sources,
    isAlive,
    createEngine: (address, events) => createHlsEngine(address, requestFor, events),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  })
}

/** In the middle of the box, when there is nothing to see. */
function noteOf(view: PlayerView, player: LivePlayer | null, unplayable: string) {
  const { state, width, rebuilds } = view
  if (!canPlay()) return <PlayerNote title="This browser cannot play live streams" />
  // Once a whole life of the player has shown nothing.
  if (state.phase === 'loading' && unplayable !== '' && rebuilds > 0) {
    return <PlayerNote title={unplayable} />
  }
  if (state.phase === 'loading') return <PlayerNote title="Loading" isBusy />
  if (state.phase !== 'missing') return null
  const { cause, next } = noPictureText(state.failure)
  // The last picture stays in sight: then the corner says what is wrong.
  if (width > 0) return null
  return <PlayerNote title={cause} detail={next} onRetry={() => player?.retry()} />
}
