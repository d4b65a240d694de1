/** What the encoder sends now, whatever stands in the form. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { kbpsOf, numberText, UNKNOWN } from '../../shared/format.ts'
import { muxRateBps } from '../encoder.rules.ts'
import type { EncoderView } from '../encoder-view.hook.ts'
import { EncoderPicture } from '../picture/EncoderPicture.tsx'
import classes from './Rail.module.css'

export function NowCard({ encoder, shown }: { encoder: Encoder; shown: EncoderView }) {
  const { status, view, nowMs, uptime } = shown
  const { config } = encoder
  const isRead = status?.state === 'running' && view.family !== 'blind'
  const rate = isRead ? (status.reading?.bitrateKbps ?? null) : null
  return (
    <section className={classes.now} aria-label="Picture now">
      <EncoderPicture encoder={encoder} view={view} status={status} nowMs={nowMs} />
      <div className={classes.facts}>
        <p className={classes.rate}>
          <b>{numberText(rate)}</b> kbit/s now
        </p>
        {config !== null && (
          <>
            <p>
              {config['video-format']}, H.264 +{' '}
              <span className={classes.audio}>{config['audio-stream'].format}</span>
            </p>
            <p>
              Mux {numberText(kbpsOf(muxRateBps(config)))} kbit/s{' '}
              {config.muxer.cbr === 1 ? 'cbr' : 'vbr'}
            </p>
          </>
        )}
        <p>Uptime {uptime === '' ? UNKNOWN : uptime}</p>
      </div>
    </section>
  )
}
