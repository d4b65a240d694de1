/** Over the picture: whether it moves, since when it does not, and what is wrong with it. */
import {
  lookAgain,
  type PictureMemory,
  type PictureState,
  stateOfPicture,
} from '@trunkline/contract/channels/picture.rules'
import { type RefObject, useEffect, useState } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { durationText } from '../../shared/format.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { noPictureText, NO_SOUND } from '../channel.messages.ts'
import classes from './PictureChips.module.css'
import type { PlayerView } from './player.ts'

interface PictureChipsProps {
  view: PlayerView
  video: RefObject<HTMLVideoElement | null>
  /** False: its server says that the stream has none. */
  hasSound: boolean
}

export function PictureChips({ view: { state, width }, video, hasSound }: PictureChipsProps) {
  const isPlaying = state.phase === 'playing'
  const picture = usePicture(video, isPlaying)
  if (state.phase === 'frozen') return <Trouble word="Frozen" sinceMs={state.sinceMs} />
  if (state.phase === 'missing' && width > 0) {
    const { cause, next } = noPictureText(state.failure)
    return (
      <p className={classes.chips} role="status">
        <span>
          <Shape shape="octagon" family="bad" size={12} />
          {cause}. {next}
        </span>
      </p>
    )
  }
  if (!isPlaying) return null
  return (
    <div className={classes.chips}>
      {picture?.kind === 'moving' && (
        <span>
          <Shape shape="disc" family="ok" size={12} />
          Picture moving
        </span>
      )}
      {picture?.kind === 'still' && <Since word="Frozen" sinceMs={picture.sinceMs} />}
      {picture?.kind === 'black' && <Since word="Black" sinceMs={picture.sinceMs} />}
      {!hasSound && (
        <span>
          <Shape shape="ring" family="warn" size={12} />
          {NO_SOUND}
        </span>
      )}
    </div>
  )
}

function Trouble({ word, sinceMs }: { word: string; sinceMs: number }) {
  return (
    <div className={classes.chips}>
      <Since word={word} sinceMs={sinceMs} />
    </div>
  )
}

/** The word is announced once; the seconds are only shown. */
function Since({ word, sinceMs }: { word: string; sinceMs: number }) {
  const nowMs = useBrowserNow()
  return (
    <span>
      <Shape shape="triangle" family="warn" size={12} />
      <span role="status">{word}</span> {durationText(nowMs - sinceMs)}
    </span>
  )
}

const LOOK_EVERY_MS = 2000
const WIDTH = 16
const HEIGHT = 9

/**
 * Looks at the picture on the screen every 2 s, in 144 points, while somebody can see it. `isPlaying`:
 * frames come; null while they do not, and before the second look.
 */
function usePicture(
  video: RefObject<HTMLVideoElement | null>,
  isPlaying: boolean,
): PictureState | null {
  const [state, setState] = useState<PictureState | null>(null)
  useEffect(() => {
    if (!isPlaying) return
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: WIDTH, height: HEIGHT })
    const context = canvas.getContext('2d', { willReadFrequently: true })
    let memory: PictureMemory | null = null
    const look = () => {
      if (document.hidden || context === null || video.current === null) return
      context.drawImage(video.current, 0, 0, WIDTH, HEIGHT)
      const before: PictureMemory | null = memory
      memory = lookAgain(before, context.getImageData(0, 0, WIDTH, HEIGHT).data, Date.now())
      const next = stateOfPicture(memory, Date.now())
      if (before !== null) setState((known) => (isSame(known, next) ? known : next))
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      setState(null)
    }
  }, [isPlaying, video])
  return state
}

function isSame(a: PictureState | null, b: PictureState | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
