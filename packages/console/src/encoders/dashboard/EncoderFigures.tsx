/** The middle of a card: its picture, and beside it what is measured and what is set. */
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { memo } from 'react'
import { durationText, kbpsOf, numberText, UNKNOWN } from '../../shared/format.ts'
import { useLinkSamples } from '../../programs/history/link-samples.hook.ts'
import { Sparkline } from '../../programs/tiles/Sparkline.tsx'
import classes from './EncoderFigures.module.css'
import { EncoderPicture } from '../picture/EncoderPicture.tsx'
import { muxRateBps } from '../encoder.rules.ts'

interface EncoderFiguresProps {
  encoder: Encoder
  status: ProgramStatus | null
  view: StateView
  nowMs: number
}

export function EncoderFigures({ encoder, status, view, nowMs }: EncoderFiguresProps) {
  const samples = useLinkSamples('encoder', encoder._id)
  const { config } = encoder
  return (
    <div className={classes.figures}>
      <EncoderPicture encoder={encoder} view={view} status={status} nowMs={nowMs} />
      <div className={classes.rate}>
        <Bitrate status={status} view={view} nowMs={nowMs} />
        <Sparkline
          samples={samples}
          nowMs={nowMs}
          targetKbps={config === null ? null : kbpsOf(muxRateBps(config))}
          family={view.family}
        />
        <div className={classes.facts}>{config !== null && <Facts config={config} />}</div>
      </div>
    </div>
  )
}

/** A value that cannot be trusted any more stays, dimmed, with its age. */
function Bitrate({ status, view, nowMs }: Omit<EncoderFiguresProps, 'encoder'>) {
  const reading = status?.reading ?? null
  const isOld = view.family === 'blind'
  const isMeasured = reading !== null && (isOld || status?.state === 'running')
  if (!isMeasured) {
    return (
      <p className={classes.now}>
        <b data-old>{UNKNOWN}</b> kbit/s
      </p>
    )
  }
  return (
    <p className={classes.now}>
      <b data-old={isOld || undefined}>{numberText(reading.bitrateKbps)}</b>{' '}
      {isOld ? `${durationText(nowMs - reading.atMs)} old` : 'kbit/s'}
    </p>
  )
}

const Facts = memo(function Facts({ config }: { config: EncoderConfig }) {
  return (
    <ul>
      <li>{config['video-format']}</li>
      <li>
        {/* Q62: the stored word, shown in capitals. */}
        H.264 + <span className={classes.audio}>{config['audio-stream'].format}</span>
      </li>
      <li>
        Mux {numberText(kbpsOf(muxRateBps(config)))} kbit/s {config.muxer.cbr === 1 ? 'cbr' : 'vbr'}
      </li>
    </ul>
  )
})
