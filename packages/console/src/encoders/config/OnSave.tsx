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
import { Icon } from '../../ui/Icon.tsx'
import { Shape } from '../../ui/Shape.tsx'
import { offersStop } from '../encoder.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import * as text from './config.messages.ts'
import classes from './Rail.module.css'
import { Section } from './Section.tsx'

interface OnSaveProps {
  form: ConfigForm
  encoder: Encoder
  /** Null while it was never heard. */
  host: EncoderHost | null
  state: ProgramState | null
}

export function OnSave({ form, encoder, host, state }: OnSaveProps) {
  const { changes, config } = form
  const consequence = text.CONSEQUENCES[consequenceOf(encoder, state)]
  const warnings = config === null ? [] : warningsOf(config, host)
  return (
    <Section title="On save" aside={countText(changes.length)}>
      <ul className={classes.plan}>
        {changes.map(({ name, label, before, after, why }) => (
          <li key={name}>
            <span>{label}</span>
            <span>
              <del>{before}</del> → <ins>{after}</ins>
            </span>
            <span className={classes.why}>{why}</span>
          </li>
        ))}
      </ul>
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="What the host will do otherwise">
          {warnings.map((warning) => (
            <li key={warning}>
              <Shape shape="triangle" family="warn" />
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={classes.consequence}>
        <Icon name="restart" size={14} />
        <span>
          <b>{consequence.title}</b> {consequence.text}
        </span>
      </p>
    </Section>
  )
}

/** As the API will say them when it is saved. */
function warningsOf(config: EncoderConfig, host: EncoderHost | null): string[] {
  if (host === null) return effectiveConfig(config).warnings
  const source = sourceWarning(config['card-idx'], host.sources)
  const { warnings } = effectiveOnHost(config, host.encoders)
  return source === '' ? warnings : [...warnings, source]
}

function countText(count: number): string {
  if (count === 0) return 'no changes'
  return count === 1 ? '1 change' : `${count} changes`
}

function consequenceOf(encoder: Encoder, state: ProgramState | null): text.Consequence {
  if (!encoder.isEnabled) return 'disabled'
  if (encoder.config === null) return 'first'
  if (offersStop(state)) return 'running'
  return state === 'unreachable' || state === 'unknown' || state === null ? 'away' : 'stopped'
}
