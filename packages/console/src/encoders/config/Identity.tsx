/** Above the tabs: name, title, card and video format (CFG-01). */
import { plainChoices } from '../../forms/field.rules.ts'
import { FormField } from '../../forms/FormField.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import type { ConfigForm } from './config-form.hook.ts'
import { nameOf } from './config-form.rules.ts'
import { cardChoices } from './config-hint.rules.ts'
import * as text from './config.messages.ts'
import classes from './Identity.module.css'

interface IdentityProps {
  form: ConfigForm
  /** The host was asked, and answered nothing so far. */
  isHostAsked: boolean
}

export function Identity({ form, isHostAsked }: IdentityProps) {
  const { values } = form.state
  const { host } = form.context
  const card = values['card-idx']
  return (
    <div className={classes.identity}>
      <Field
        label="Name"
        value={nameOf(values)}
        readOnly
        hint={text.NAME_HINT}
        right={<Icon name="lock" size={14} />}
      />
      <FormField form={form} name="title" />
      {host === null && isHostAsked ? (
        <FormField form={form} name="card-idx" control="number" hint={text.HOST_NOT_HEARD} />
      ) : (
        <FormField
          form={form}
          name="card-idx"
          control="choice"
          choices={host === null ? plainChoices([card]) : cardChoices(host, card)}
        />
      )}
      <FormField form={form} name="video-format" />
    </div>
  )
}
