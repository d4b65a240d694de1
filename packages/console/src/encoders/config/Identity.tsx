/** Above the tabs: name, title, card and video format (CFG-01). */
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { VIDEO_FORMATS } from '@trunkline/contract/encoders/video-format.rules'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { nameOf } from './config-edit.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { cardChoices } from './config-hint.rules.ts'
import * as text from './config.messages.ts'
import { ChoiceField, NumberField, plainChoices, TextField } from './ConfigField.tsx'
import classes from './Identity.module.css'

interface IdentityProps {
  form: ConfigForm
  /** Null while it was never heard. */
  host: EncoderHost | null
  /** The host was asked, and answered nothing so far. */
  isHostAsked: boolean
}

export function Identity({ form, host, isHostAsked }: IdentityProps) {
  const { fields } = form.state.values
  return (
    <div className={classes.identity}>
      <Field
        label="Name"
        value={nameOf(fields)}
        readOnly
        hint={text.NAME_HINT}
        right={<Icon name="lock" size={14} />}
      />
      <TextField form={form} name="title" />
      {host === null && isHostAsked ? (
        <NumberField form={form} name="card-idx" hint={text.HOST_NOT_HEARD} />
      ) : (
        <ChoiceField
          form={form}
          name="card-idx"
          choices={
            host === null
              ? plainChoices([fields['card-idx']])
              : cardChoices(host, fields['card-idx'])
          }
        />
      )}
      <ChoiceField form={form} name="video-format" choices={plainChoices(VIDEO_FORMATS)} />
    </div>
  )
}
