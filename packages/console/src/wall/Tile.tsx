/** The frame of one tile: state as colour, shape and word, and in trouble its cause and since when. */
import {
  needsAttention,
  sentenceOf,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { useEffect, useId, type ReactNode, type RefObject, useState } from 'react'
import { durationText, numberText } from '../shared/format.ts'
import { OnAirTag } from '../shared/on-air/OnAirTag.tsx'
import { IconButton } from '../ui/button/Button.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './Tile.module.css'
import type { Trouble } from './trouble.hook.ts'
import * as text from './wall.messages.ts'
import type { TileKey } from './wall.rules.ts'

/** What the wall gives each of its tiles. */
export interface TilePlace {
  tileKey: TileKey
  isFirst: boolean
  isLast: boolean
  /** The buttons that move it and take it off are shown. */
  isArranging: boolean
  /** Its detail is open over the wall. */
  isOpen: boolean
  onOpen: (key: TileKey) => void
  onMove: (key: TileKey, step: -1 | 1) => void
  onRemove: (key: TileKey) => void
  /** Told whenever it gets into trouble, or out of it (null). */
  onTrouble: (key: TileKey, trouble: Trouble | null) => void
}

interface TileProps {
  place: TilePlace
  object: { kind: OnAirKind; id: string }
  title: string
  view: StateView
  /** API clock. */
  nowMs: number
  kbps: number | null
  /** How old the picture is: '3 s', '4.2 s behind live edge'; '' while there is none. */
  age: string
  /** Beside the figures: the sound. */
  control?: ReactNode
  pictureRef: RefObject<HTMLDivElement | null>
  picture: ReactNode
}

export function Tile(props: TileProps) {
  const { place, title, view, nowMs, picture, pictureRef } = props
  const titleId = useId()
  const since = useSince(view, nowMs)
  const isTrouble = needsAttention(view.family)
  const sentence = `${title}: ${sentenceOf(view)}`
  useReport(place, view, isTrouble ? sentence : null)
  return (
    <article className={classes.tile} data-f={view.family} aria-labelledby={titleId}>
      <div ref={pictureRef} className={classes.picture}>
        {picture}
        <button
          type="button"
          className={classes.open}
          data-tile={place.tileKey}
          aria-haspopup="dialog"
          aria-label={`Open ${sentence}`}
          onClick={() => place.onOpen(place.tileKey)}
        />
        {isTrouble && <Band view={view} since={since} nowMs={nowMs} />}
        {props.age !== '' && <span className={classes.age}>{props.age}</span>}
        {place.isArranging && <ArrangeTools place={place} title={title} />}
      </div>
      <div className={classes.strip}>
        <Shape shape={view.shape} family={view.family} />
        <h2 id={titleId} className={classes.title} title={title}>
          {title}
        </h2>
        <span className={classes.word}>
          <OnAirTag {...props.object} />
          {view.word}
        </span>
        <span className={classes.figure} data-empty={props.kbps === null || undefined}>
          {numberText(props.kbps)} <small>kbit/s</small>
        </span>
        {props.control !== undefined && <span className={classes.control}>{props.control}</span>}
      </div>
    </article>
  )
}

/** Over the picture, which is not to be trusted then: nothing else has to give way. */
function Band({ view, since, nowMs }: { view: StateView; since: Since; nowMs: number }) {
  const time = durationText(nowMs - since.sinceMs)
  const cause = view.cause === '' ? view.word : view.cause
  return (
    <p className={classes.band}>
      <span title={cause}>{cause}</span>
      <time>{since.isAtLeast ? `for at least ${time}` : time}</time>
    </p>
  )
}

function ArrangeTools({ place, title }: { place: TilePlace; title: string }) {
  const { tileKey: key, isFirst, isLast, onMove, onRemove } = place
  return (
    <div className={classes.tools} role="group" aria-label={`Place of ${title}`}>
      <IconButton
        icon="left"
        label={`Move ${title} left`}
        disabledReason={isFirst ? text.IS_FIRST : null}
        onClick={() => onMove(key, -1)}
      />
      <IconButton
        icon="right"
        label={`Move ${title} right`}
        disabledReason={isLast ? text.IS_LAST : null}
        onClick={() => onMove(key, 1)}
      />
      <IconButton
        icon="close"
        label={`Remove ${title} from the wall`}
        onClick={() => onRemove(key)}
      />
    </div>
  )
}

function useReport(
  { tileKey: key, onTrouble }: TilePlace,
  { family, shape }: StateView,
  sentence: string | null,
): void {
  useEffect(() => {
    if (sentence === null) return
    onTrouble(key, { family, shape, sentence })
    return () => onTrouble(key, null)
  }, [key, family, shape, sentence, onTrouble])
}

interface Since {
  sinceMs: number
  /** It was so already when this page first looked. */
  isAtLeast: boolean
}

/** As the server says, else as this page has seen it. `nowMs`: the API's clock. */
function useSince(view: StateView, nowMs: number): Since {
  const state = `${view.family} ${view.word} ${view.cause}`
  const isReading = view.family === 'move' && view.word === 'Reading'
  const [seen, setSeen] = useState({ state, isReading, atMs: nowMs, isFirst: true })
  if (seen.state !== state) {
    // What comes after the first reading was so before it.
    const isFirst = seen.isFirst && seen.isReading
    setSeen({ state, isReading, atMs: nowMs, isFirst })
  }
  if (view.sinceMs !== null) return { sinceMs: view.sinceMs, isAtLeast: false }
  return { sinceMs: seen.atMs, isAtLeast: seen.isFirst }
}
