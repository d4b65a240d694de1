/** Beside the fields: what the encoder sends now, and what saving means (Q90). */
import {
  effectiveConfig,
  effectiveOnHost,
  sourceWarning,
} from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { SavePlan } from '../../forms/SavePlan.tsx'
import { offersStop } from '../../programs/command/command.rules.ts'
import { kbpsOf, numberText, UNKNOWN } from '../../shared/format.ts'
import type { EncoderView } from '../encoder-view.hook.ts'
import { muxRateBps } from '../encoder.rules.ts'
import { EncoderPicture } from '../picture/EncoderPicture.tsx'
import { configOf } from './config-check.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import * as text from './config.messages.ts'
import classes from './Rail.module.css'

interface OnSaveProps {
  form: ConfigForm
  encoder: Encoder
  /** Null while it was never heard. */
  host: EncoderHost | null
  state: ProgramState | null
}

/** What saving changes, what the host makes of it, and what it does to what runs. */
export function OnSave({ form, encoder, host, state }: OnSaveProps) {
  const { changes, faults, state: now } = form
  const config = Object.keys(faults).length === 0 ? configOf(now.values) : null
  const consequence = text.CONSEQUENCES[consequenceOf(encoder, state)]
  const warnings = config === null ? [] : warningsOf(config, host)
  return (
    <SavePlan
      changes={changes}
      warnings={warnings}
      warningsLabel="What the host will do otherwise"
      consequence={consequence}
    />
  )
}

/** As the API will say them when it is saved. */
function warningsOf(config: EncoderConfig, host: EncoderHost | null): string[] {
  if (host === null) return effectiveConfig(config).warnings
  const source = sourceWarning(config['card-idx'], host.sources)
  const { warnings } = effectiveOnHost(config, host.encoders)
  return source === '' ? warnings : [...warnings, source]
}

function consequenceOf(encoder: Encoder, state: ProgramState | null): text.Consequence {
  if (!encoder.isEnabled) return 'disabled'
  if (encoder.config === null) return 'first'
  if (offersStop(state)) return 'running'
  return state === 'unreachable' || state === 'unknown' || state === null ? 'away' : 'stopped'
}

/** What the encoder sends now, whatever stands in the form. */
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
