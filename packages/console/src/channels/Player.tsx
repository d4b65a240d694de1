/** The live picture with our own buttons. What happens behind it is player.ts. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useBrowserNow } from '../lib/clock.ts'
import { readSession } from '../lib/session.ts'
import { durationText } from '../shared/format.ts'
import { Shape } from '../ui/Shape.tsx'
import { noPictureText } from './channel.messages.ts'
import { canPlay, createHlsEngine } from './hls.client.ts'
import { LivePlayer, type PlayerView } from './player.ts'
import { carriesToken } from './player.rules.ts'
import { PlayerControls } from './PlayerControls.tsx'
import { PlayerFrame, PlayerNote } from './PlayerFrame.tsx'
import classes from './Player.module.css'

interface PlayerProps {
  title: string
  /** Playlist addresses, best first. A new list is a new player: the key's work. */
  sources: readonly string[]
  isAlive: boolean
}

const NOTHING_YET: PlayerView = {
  state: { phase: 'loading' },
  secondsBehind: null,
  playlistAgeS: null,
  bitrateKbps: null,
  width: 0,
  height: 0,
  rebuilds: 0,
}
const hearNothing = () => () => undefined

export function Player({ title, sources, isAlive }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [player, setPlayer] = useState<LivePlayer | null>(null)
  useEffect(() => {
    if (video.current === null || !canPlay()) return
    const made = makePlayer(video.current, sources, isAlive)
    setPlayer(made)
    return () => made[Symbol.dispose]()
    // Neither changes during one player's life; whether the stream is alive later is no matter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const view = useSyncExternalStore(
    player?.subscribe ?? hearNothing,
    player?.view ?? (() => NOTHING_YET),
  )
  return (
    <PlayerFrame note={noteOf(view, player)}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live feed brings none */}
      <video ref={video} className={classes.video} muted playsInline aria-label={title} />
      <Overlay view={view} />
      {player !== null && <PlayerControls player={player} view={view} video={video} />}
    </PlayerFrame>
  )
}

function makePlayer(
  video: HTMLVideoElement,
  sources: readonly string[],
  isAlive: boolean,
): LivePlayer {
  const page = new URL(location.href)
  const token = (url: string) => (carriesToken(url, page) ? (readSession()?.token ?? '') : '')
  return new LivePlayer({
    video,
    sources,
    isAlive,
    createEngine: (address, events) => createHlsEngine(address, token, events),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  })
}

/** In the middle of the box, when there is nothing to see. */
function noteOf({ state, width }: PlayerView, player: LivePlayer | null) {
  if (!canPlay()) return <PlayerNote title="This browser cannot play live streams" />
  if (state.phase === 'loading') return <PlayerNote title="Loading" isBusy />
  if (state.phase !== 'missing') return null
  const { cause, next } = noPictureText(state.failure)
  // The last picture stays in sight: then the corner says what is wrong.
  if (width > 0) return null
  return <PlayerNote title={cause} detail={next} onRetry={() => player?.retry()} />
}

/** Over the picture, when it does not move. */
function Overlay({ view: { state, width } }: { view: PlayerView }) {
  if (state.phase === 'frozen') return <Frozen sinceMs={state.sinceMs} />
  if (state.phase !== 'missing' || width === 0) return null
  return (
    <p className={classes.overlay} role="status">
      <Shape shape="octagon" family="bad" size={12} />
      {noPictureText(state.failure).cause}. {noPictureText(state.failure).next}
    </p>
  )
}

function Frozen({ sinceMs }: { sinceMs: number }) {
  const nowMs = useBrowserNow()
  return (
    <p className={classes.overlay}>
      <Shape shape="triangle" family="warn" size={12} />
      <span role="status">No new picture</span> for {durationText(nowMs - sinceMs)}
    </p>
  )
}
