/** 'Input Settings' and 'Output Settings': address, rates and what else the type has (table 2.9). */
import type { Choice } from '../../ui/Select.tsx'
import { Fields, Section } from '../../shared/Section.tsx'
import { DestinationFields } from './DestinationFields.tsx'
import { HOST_PLACEHOLDER } from './form.messages.ts'
import { GroupField, PortField } from './OfferedFields.tsx'
import {
  AdapterField,
  AnyHostField,
  ChoiceField,
  NumberField,
  SegmentField,
  TextField,
} from './LinkFields.tsx'
import { type FieldName, maySecondPath, shownFields } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'
import { modeChoices } from './link-hint.rules.ts'
import { SecondPath } from './SecondPath.tsx'

export function SettingsTab({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  const rates = RATES.filter((name) => shownFields(form.kind, fields).has(name))
  return (
    <>
      <Section title={fields['inputType'] === 'Local' ? 'Stream' : 'Address'}>
        <AddressFields form={form} />
      </Section>
      {rates.length > 0 && (
        <Section title={fields['inputType'] === 'RIST' ? 'RIST' : 'SRT'}>
          <Fields columns={3}>
            {rates.map((name) => (
              <RateField key={name} form={form} name={name} />
            ))}
          </Fields>
        </Section>
      )}
      {maySecondPath(form.kind, fields) && <SecondPath form={form} />}
    </>
  )
}

function AddressFields({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  const shown = shownFields(form.kind, fields)
  return (
    <Fields columns={3}>
      {shown.has('config.mode') && (
        <SegmentField form={form} name="config.mode" segments={modeChoices(form.kind, fields)} />
      )}
      {shown.has('config.host') && <HostField form={form} />}
      <PortField form={form} />
      {shown.has('config.multicast') && <GroupField form={form} />}
      <AdapterField form={form} name="config.adapterIp" />
      {shown.has('config.ttl') && <NumberField form={form} name="config.ttl" />}
    </Fields>
  )
}

function HostField({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  if (fields['config.mode'] === 'Listen') {
    const addresses = form.known.server?.adapterIps.map(({ adapterIp }) => adapterIp) ?? []
    return <AnyHostField form={form} name="config.host" addresses={addresses} />
  }
  if (form.kind === 'output') return <DestinationFields form={form} />
  return <TextField form={form} name="config.host" placeholder={HOST_PLACEHOLDER} />
}

const RATES: readonly FieldName[] = [
  'config.profile',
  'config.latency',
  'config.maxBandWidth',
  'config.bandWidth',
  'config.bufferMin',
  'config.reorderBuffer',
  'config.compression',
  'config.rtl',
  'config.statInterval',
  'config.logLevel',
]

/** Main is 2 and Simple is 1 (IN-FORM-09). */
const CHOICES: Partial<Record<FieldName, readonly Choice<string>[]>> = {
  'config.profile': [
    { value: '2', label: 'Main' },
    { value: '1', label: 'Simple' },
  ],
  'config.compression': [
    { value: 'Disabled', label: 'Disabled' },
    { value: 'Enabled', label: 'Enabled' },
  ],
  'config.logLevel': [
    { value: '1', label: '1 errors' },
    { value: '2', label: '2 warnings' },
    { value: '3', label: '3 all' },
  ],
}

function RateField({ form, name }: { form: LinkForm; name: FieldName }) {
  const choices = CHOICES[name]
  return choices === undefined ? (
    <NumberField form={form} name={name} />
  ) : (
    <ChoiceField form={form} name={name} choices={choices} />
  )
}
