/** What saving changes, what the host makes of it, and what it does to what runs (Q90). */
import {
  effectiveConfig,
  effectiveOnHost,
  sourceWarning,
} from '@trunkline/contract/encoders/effective-config.rules'
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { SavePlan } from '../../forms/SavePlan.tsx'
import { offersStop } from '../../programs/command/command.rules.ts'
import { configOf } from './config-check.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import * as text from './config.messages.ts'

interface OnSaveProps {
  form: ConfigForm
  encoder: Encoder
  /** Null while it was never heard. */
  host: EncoderHost | null
  state: ProgramState | null
}

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
