/** One encoder on the wall: its newest picture with its age, as its card shows it, only larger. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { memo } from 'react'
import { encoderPictureQuery } from '../encoders/encoder.queries.ts'
import { useEncoderView } from '../encoders/encoder-view.hook.ts'
import { useInSight } from '../encoders/picture/in-sight.hook.ts'
import { JpegCanvas } from '../encoders/picture/JpegCanvas.tsx'
import {
  isPictured,
  pictureLabel,
  pictureView,
  type PictureView,
} from '../encoders/picture/picture.rules.ts'
import { Shape } from '../ui/symbol/Shape.tsx'
import { Tile, type TilePlace } from './Tile.tsx'
import classes from './Tile.module.css'
import { viewOfEncoderTile } from './tile.rules.ts'
import { STATE_WORDS } from '@trunkline/contract/fleet/state-words'

interface EncoderTileProps extends TilePlace {
  encoder: Encoder
}

/** A line of tiles that is about to be scrolled in has its pictures when it comes. */
const READY_WITHIN_PX = 200

export const EncoderTile = memo(function EncoderTile({ encoder, ...place }: EncoderTileProps) {
  const { view, status, nowMs } = useEncoderView(encoder)
  const [box, isInSight] = useInSight<HTMLDivElement>(READY_WITHIN_PX)
  const isConfigured = encoder.config !== null
  const isWanted = isInSight && isConfigured && isPictured({ status })
  const { data } = useQuery(encoderPictureQuery(encoder._id, isWanted))
  const picture = pictureView({ isConfigured, view, status, picture: data ?? null, nowMs })
  return (
    <Tile
      place={place}
      object={{ kind: 'encoder', id: encoder._id }}
      title={encoder.title}
      view={viewOfEncoderTile(view, picture)}
      nowMs={nowMs}
      kbps={view.word === STATE_WORDS.running ? (status?.reading?.bitrateKbps ?? null) : null}
      age={picture.kind === 'live' || picture.kind === 'old' ? picture.note : ''}
      pictureRef={box}
      picture={<Picture picture={picture} title={encoder.title} />}
    />
  )
})

function Picture({ picture, title }: { picture: PictureView; title: string }) {
  switch (picture.kind) {
    case 'live':
    case 'old':
      return (
        <JpegCanvas
          jpegBase64={picture.picture.jpegBase64}
          isOld={picture.kind === 'old'}
          label={pictureLabel(picture, title)}
        />
      )
    case 'none':
      return (
        <p className={classes.note}>
          <Shape shape={picture.shape} family={picture.family} size={18} />
          {picture.note}
        </p>
      )
    case 'bare':
      return <p className={classes.note}>{picture.note}</p>
  }
}
