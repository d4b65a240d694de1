/** Play and pause, sound, how live it is, what it is, full screen. Space, m and f do the same. */
import { decimalText } from '@trunkline/contract/number-text.rules'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { areSingleKeysOn } from '../../lib/shortcuts.ts'
import { numberText } from '../../shared/format.ts'
import { Icon, type IconName } from '../../ui/symbol/Icon.tsx'
import type { LivePlayer, PlayerView } from './player.ts'
import { isBehindLive } from './player.rules.ts'
import { behindText } from '../channel.messages.ts'
import classes from './PlayerControls.module.css'

interface PlayerControlsProps {
  player: LivePlayer
  view: PlayerView
  video: RefObject<HTMLVideoElement | null>
}

export function PlayerControls({ player, view, video }: PlayerControlsProps) {
  const sound = useSound(video)
  const isPaused = view.state.phase === 'paused'
  const togglePlay = () => (isPaused ? player.play() : player.pause())
  const toggleFull = () => void switchFullScreen(video.current?.parentElement ?? null)
  useKeys(video, { ' ': togglePlay, m: sound.toggle, f: toggleFull })
  return (
    <div className={classes.controls}>
      <div className={classes.row}>
        {control(isPaused ? 'Play' : 'Pause', isPaused ? 'play' : 'pause', togglePlay)}
        {control(
          sound.isMuted ? 'Unmute' : 'Mute',
          sound.isMuted ? 'muted' : 'volume',
          sound.toggle,
        )}
        <input
          type="range"
          className={classes.volume}
          aria-label="Volume"
          min={0}
          max={100}
          step={5}
          value={sound.isMuted ? 0 : sound.percent}
          onChange={(event) => sound.set(Number(event.target.value))}
        />
        <Liveness view={view} onLive={() => player.play()} />
        <span className={classes.what}>{whatText(view)}</span>
        {control('Full screen', 'full-screen', toggleFull)}
      </div>
    </div>
  )
}

function control(label: string, icon: IconName, onClick: () => void) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={20} />
    </button>
  )
}

interface LivenessProps {
  view: PlayerView
  onLive: () => void
}

/** Stays a button when there is nowhere to go, so that the focus is not lost on it. */
function Liveness({ view, onLive }: LivenessProps) {
  const { state, secondsBehind, playlistAgeS, playlist } = view
  const isPaused = state.phase === 'paused'
  if (state.phase !== 'playing' && !isPaused) return null
  const mayGo = isPaused || isBehindLive(secondsBehind, playlist)
  return (
    <>
      <button
        type="button"
        className={classes.live}
        aria-disabled={!mayGo}
        title={mayGo ? 'Go to the newest picture' : 'This is the newest picture'}
        onClick={mayGo ? onLive : undefined}
      >
        LIVE
      </button>
      <span className={classes.behind}>
        {isPaused && 'Paused'}
        {!isPaused && secondsBehind !== null && behindText(secondsBehind)}
        {!isPaused && playlistAgeS !== null && (
          <span className={classes.age}>, playlist {decimalText(playlistAgeS, 1)} s old</span>
        )}
      </span>
    </>
  )
}

/** '1920×1080, 4,812 kbit/s, one of 3 sizes'; only what is known. */
function whatText({ width, height, bitrateKbps, playlist }: PlayerView): string {
  const size = width > 0 ? `${width}×${height}` : ''
  const rate = bitrateKbps === null ? '' : `${numberText(bitrateKbps)} kbit/s`
  const sizes = (playlist?.renditions ?? 1) > 1 ? `one of ${playlist?.renditions} sizes` : ''
  return [size, rate, sizes].filter(Boolean).join(', ')
}

/** The sound starts muted: no browser starts it otherwise, and no gallery wants it. */
function useSound(video: RefObject<HTMLVideoElement | null>) {
  const [isMuted, setMuted] = useState(true)
  const [percent, setPercent] = useState(70)
  const apply = (muted: boolean, volume: number) => {
    if (video.current !== null) Object.assign(video.current, { muted, volume: volume / 100 })
    setMuted(muted)
  }
  return {
    isMuted,
    percent,
    toggle: () => apply(!isMuted, percent),
    set: (next: number) => {
      apply(next === 0, next)
      if (next > 0) setPercent(next)
    },
  }
}

/** The wall may fill the screen already: the player does so over it, and gives it back to the wall. */
async function switchFullScreen(box: HTMLElement | null): Promise<void> {
  if (box !== null && document.fullscreenElement === box) await document.exitFullscreen()
  else await box?.requestFullscreen()
}

/** The page's own single keys rest while a dialog is open; these belong to the player in it. */
function useKeys(video: RefObject<HTMLVideoElement | null>, keys: Record<string, () => void>) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !areSingleKeysOn()) return
      if (isForAnother(event, video.current)) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [video])
}

/** Letters are typed, space presses a button, and a question over the dialog has the keys to itself. */
function isForAnother({ key, target }: KeyboardEvent, video: HTMLVideoElement | null): boolean {
  if (!(target instanceof Element)) return false
  const dialog = target.closest('[role="dialog"]')
  if (dialog !== null && !dialog.contains(video)) return true
  return target.closest(key === ' ' ? TAKES_SPACE : TAKES_LETTERS) !== null
}

const TAKES_LETTERS = 'input:not([type="range"]), select, textarea, [contenteditable]'
const TAKES_SPACE = `${TAKES_LETTERS}, input, button`
