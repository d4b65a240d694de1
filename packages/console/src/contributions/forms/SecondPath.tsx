/** A RIST output may send on two ways to one receiver. */
import { secondPathHint } from '@trunkline/contract/contributions/link.rules'
import { FieldPlace } from '../../forms/ChangedField.tsx'
import { Fields, Section } from '../../shared/Section.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { HOST_PLACEHOLDER, SECOND_PATH_HELP } from './form.messages.ts'
import { AdapterField, NumberField, TextField } from './LinkFields.tsx'
import type { LinkForm } from './link-form.hook.ts'
import classes from './SecondPath.module.css'

const NAME = 'config.secondPath'
const LABEL = 'Send over a second path'

export function SecondPath({ form }: { form: LinkForm }) {
  const { base, values } = form.state
  const isOn = values.fields[NAME] === '1'
  const fault = form.faultAt(NAME)
  return (
    <Section title="Second path">
      <FieldPlace name={NAME} isChanged={!form.isNew && base.fields[NAME] !== values.fields[NAME]}>
        <div className={classes.switch}>
          <Switch
            label={LABEL}
            isOn={isOn}
            isBusy={false}
            onToggle={(next) => form.take({ step: 'edit', name: NAME, text: next ? '1' : '' })}
          />
          <span>
            <b>{LABEL}</b> {SECOND_PATH_HELP}
          </span>
        </div>
        {isOn && (
          <p className={classes.needs}>{secondPathHint(Number(values.fields['config.profile']))}</p>
        )}
        {fault !== '' && <p className={classes.fault}>{fault}</p>}
      </FieldPlace>
      {isOn && (
        <Fields columns={3}>
          <TextField form={form} name="config.secondPath.host" placeholder={HOST_PLACEHOLDER} />
          <NumberField form={form} name="config.secondPath.port" />
          <AdapterField form={form} name="config.secondPath.adapterIp" />
        </Fields>
      )}
    </Section>
  )
}
