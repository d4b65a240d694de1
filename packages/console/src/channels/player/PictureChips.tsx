/** Over the picture: whether it moves, since when it does not, and what is wrong with it. */
import type { RefObject } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { durationText } from '../../shared/format.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { noPictureText, NO_SOUND } from '../channel.messages.ts'
import { usePicture } from './picture.hook.ts'
import type { PlayerView } from './player.ts'
import classes from './PictureChips.module.css'

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

/** The word is told once; the seconds are for the eye alone. */
function Since({ word, sinceMs }: { word: string; sinceMs: number }) {
  const nowMs = useBrowserNow()
  return (
    <span>
      <Shape shape="triangle" family="warn" size={12} />
      <span role="status">{word}</span> {durationText(nowMs - sinceMs)}
    </span>
  )
}
