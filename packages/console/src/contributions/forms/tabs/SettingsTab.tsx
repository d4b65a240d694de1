/** 'Input Settings' and 'Output Settings': address, rates and what else the type has (table 2.9). */
import { FormField } from '../../../forms/FormField.tsx'
import { Fields, Section } from '../../../shared/page/Section.tsx'
import { AddressFields } from './AddressFields.tsx'
import { LINK_FIELDS, maySecondPath, shownFields } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { SecondPath } from './SecondPath.tsx'

export function SettingsTab({ form }: { form: LinkForm }) {
  const { values } = form.state
  const rates = [...shownFields(values)].filter((name) => LINK_FIELDS[name].isRate)
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
