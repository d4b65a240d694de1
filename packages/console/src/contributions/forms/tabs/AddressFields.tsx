/** Where a link listens or calls, and where its stream is on the server. */
import { FormField } from '../../../forms/FormField.tsx'
import { Fields } from '../../../shared/page/Section.tsx'
import { DestinationFields } from './DestinationFields.tsx'
import { ANY } from '../form.messages.ts'
import { type FieldName, shownFields } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { anyToEmpty } from '../link-values.rules.ts'
import { GroupField, PortField } from './OfferedFields.tsx'

export function AddressFields({ form }: { form: LinkForm }) {
  const shown = shownFields(form.state.values)
  return (
    <Fields columns={3}>
      {shown.has('config.mode') && <FormField form={form} name="config.mode" />}
      {shown.has('config.host') && <HostField form={form} />}
      <PortField form={form} />
      {shown.has('config.multicast') && <GroupField form={form} />}
      <AdapterField form={form} name="config.adapterIp" />
      {shown.has('config.ttl') && <FormField form={form} name="config.ttl" />}
    </Fields>
  )
}

/** IN-FORM-15: where it listens, empty is Any, and so is the word (Q164). */
function HostField({ form }: { form: LinkForm }) {
  const name = 'config.host'
  const { values } = form.state
  const typed = values[name]
  if (values['config.mode'] === 'Push') {
    return values.kind === 'output' ? (
      <DestinationFields form={form} />
    ) : (
      <FormField form={form} name={name} />
    )
  }
  return (
    <FormField
      form={form}
      name={name}
      placeholder={ANY}
      suggestions={form.context.server?.adapterIps.map(({ adapterIp }) => adapterIp) ?? []}
      onBlur={() => {
        const change = { [name]: anyToEmpty(typed) }
        if (change[name] !== typed) form.take({ step: 'edit', change })
      }}
    />
  )
}

/** IN-FORM-12: the server's own adapters; one that it has no more stays until another is chosen. */
export function AdapterField({ form, name }: { form: LinkForm; name: FieldName }) {
  const adapters = form.context.server?.adapterIps ?? []
  const value = form.state.values[name]
  const isKnown = value === '' || adapters.some(({ adapterIp }) => adapterIp === value)
  return (
    <FormField
      form={form}
      name={name}
      choices={[
        { value: '', label: ANY },
        ...adapters.map(({ adapterName, adapterIp }) => ({
          value: adapterIp,
          label: `${adapterName} ${adapterIp}`,
        })),
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
    />
  )
}
