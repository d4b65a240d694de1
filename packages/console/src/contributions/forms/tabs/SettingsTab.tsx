/** 'Input Settings' and 'Output Settings': address, rates and what else the type has (table 2.9). */
import { secondPathHint } from '@trunkline/contract/contributions/link.rules'
import { labelOf } from '../../../forms/field.rules.ts'
import { FormField, FieldPlace } from '../../../forms/FormField.tsx'
import { Fields, Section } from '../../../shared/page/Section.tsx'
import { Switch } from '../../../ui/choice/Switch.tsx'
import { SECOND_PATH_HELP } from '../form.messages.ts'
import { fieldsIn, hasSecondPath, maySecondPath } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { AddressFields, AdapterField } from './AddressFields.tsx'
import classes from './SettingsTab.module.css'

export function SettingsTab({ form }: { form: LinkForm }) {
  const { values } = form.state
  const rates = fieldsIn('rates', values)
  return (
    <>
      <Section title={values.inputType === 'Local' ? 'Stream' : 'Address'}>
        <AddressFields form={form} />
      </Section>
      {rates.length > 0 && (
        <Section title={values.inputType === 'RIST' ? 'RIST' : 'SRT'}>
          <Fields columns={3}>
            {rates.map((name) => (
              <FormField key={name} form={form} name={name} />
            ))}
          </Fields>
        </Section>
      )}
      {maySecondPath(values) && <SecondPath form={form} />}
    </>
  )
}

const NAME = 'config.secondPath'

/** A RIST output may send on two ways to one receiver. */
function SecondPath({ form }: { form: LinkForm }) {
  const { base, values } = form.state
  const isOn = hasSecondPath(values)
  const label = labelOf(form.spec, NAME, values)
  const fault = form.faultAt(NAME)
  const isChanged = form.marksChanges && base[NAME] !== values[NAME]
  return (
    <Section title="Second path">
      <FieldPlace name={NAME} isChanged={isChanged}>
        <div className={classes.switch}>
          <Switch
            label={label}
            isOn={isOn}
            isBusy={false}
            onToggle={(next) => form.take({ step: 'edit', change: { [NAME]: next ? '1' : '' } })}
          />
          <span>
            <b>{label}</b> {SECOND_PATH_HELP}
          </span>
        </div>
        {isOn && (
          <p className={classes.needs}>{secondPathHint(Number(values['config.profile']))}</p>
        )}
        {fault !== '' && <p className={classes.fault}>{fault}</p>}
      </FieldPlace>
      {isOn && (
        <Fields columns={3}>
          <FormField form={form} name="config.secondPath.host" />
          <FormField form={form} name="config.secondPath.port" />
          <AdapterField form={form} name="config.secondPath.adapterIp" />
        </Fields>
      )}
    </Section>
  )
}
