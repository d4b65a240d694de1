/** The tabs Video, Audio and Mux of the configuration form. */
import { FormField, Unit } from '../../forms/FormField.tsx'
import { Fields, Section } from '../../shared/page/Section.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { CLOCK_TITLE, type FieldSection, SECTIONS } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { PMT_PERIOD_HINT } from './config.messages.ts'

interface SettingsTabProps {
  form: ConfigForm
  tab: keyof typeof SECTIONS
}

export function SettingsTab({ form, tab }: SettingsTabProps) {
  const format = form.state.values['audio-stream.format']
  const sections: readonly FieldSection[] = SECTIONS[tab]
  return sections
    .filter(({ audio }) => audio === undefined || audio === format)
    .map(({ title, columns, names }) => (
      <Section key={title} title={title}>
        <Fields columns={columns}>
          {names.map((name) => (
            <FormField key={name} form={form} name={name} />
          ))}
          {title === CLOCK_TITLE && <PmtPeriod />}
        </Fields>
      </Section>
    ))
}

/** CFG-23: it cannot be changed. */
function PmtPeriod() {
  return (
    <Field
      label="PMT period"
      value="100"
      readOnly
      hint={PMT_PERIOD_HINT}
      right={
        <>
          <Unit>ms</Unit>
          <Icon name="lock" size={14} />
        </>
      }
    />
  )
}
