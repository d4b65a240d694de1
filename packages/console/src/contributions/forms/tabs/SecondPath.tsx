/** A RIST output may send on two ways to one receiver. */
import { secondPathHint } from '@trunkline/contract/contributions/link.rules'
import { labelOf } from '../../../forms/field.rules.ts'
import { FieldPlace, FormField } from '../../../forms/FormField.tsx'
import { Fields, Section } from '../../../shared/page/Section.tsx'
import { Switch } from '../../../ui/choice/Switch.tsx'
import { AdapterField } from './AddressFields.tsx'
import { SECOND_PATH_HELP } from '../form.messages.ts'
import { hasSecondPath } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import classes from './SecondPath.module.css'

const NAME = 'config.secondPath'

export function SecondPath({ form }: { form: LinkForm }) {
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
