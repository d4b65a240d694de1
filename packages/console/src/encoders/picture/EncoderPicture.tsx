/** What an encoder sees: its newest picture with its age, or in the same room why there is none. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { controlFor } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { encoderPictureQuery } from '../encoder.queries.ts'
import classes from './EncoderPicture.module.css'
import { useInSight } from './in-sight.hook.ts'
import { JpegCanvas } from './JpegCanvas.tsx'
import { isPictured, pictureLabel, pictureView, type PictureView } from './picture.rules.ts'

interface EncoderPictureProps {
  encoder: Encoder
  view: StateView
  status: ProgramStatus | null
  nowMs: number
}

/** A line of cards that is about to be scrolled in has its pictures when it comes. */
const READY_WITHIN_PX = 200

/** Asks for pictures only while it is in sight and the encoder runs. */
export function EncoderPicture({ encoder, view, status, nowMs }: EncoderPictureProps) {
  const [ref, isInSight] = useInSight<HTMLDivElement>(READY_WITHIN_PX)
  const isConfigured = encoder.config !== null
  const isWanted = isInSight && isConfigured && isPictured({ status })
  const { data } = useQuery(encoderPictureQuery(encoder._id, isWanted))
  const shown = pictureView({ isConfigured, view, status, picture: data ?? null, nowMs })
  return (
    <div ref={ref} className={classes.picture} data-kind={shown.kind}>
      <Content shown={shown} encoder={encoder} />
    </div>
  )
}

function Content({ shown, encoder }: { shown: PictureView; encoder: Encoder }) {
  switch (shown.kind) {
    case 'live':
    case 'old':
      return (
        <>
          <JpegCanvas
            jpegBase64={shown.picture.jpegBase64}
            label={pictureLabel(shown, encoder.title)}
          />
          <span className={classes.note}>{shown.note}</span>
        </>
      )
    case 'none':
      return (
        <p className={classes.none}>
          <Shape shape={shown.shape} family={shown.family} size={18} />
          {shown.note}
        </p>
      )
    case 'bare':
      return (
        <p className={classes.none}>
          {shown.note}
          <ConfigureLink encoder={encoder} />
        </p>
      )
  }
}

/** The one thing to do with an encoder that is not configured, for whom may do it. */
function ConfigureLink({ encoder }: { encoder: Encoder }) {
  if (controlFor(useRole(), 'configureEncoder') !== 'usable') return null
  return (
    <Link
      className={classes.configure}
      to="/dashboard/editEncoder/$id"
      params={{ id: encoder._id }}
      preload={false}
      aria-label={`Configure ${encoder.title}`}
    >
      Configure
    </Link>
  )
}
