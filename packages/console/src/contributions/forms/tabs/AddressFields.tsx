/** Where a link listens or calls, and where its stream is on the server. */
import type { ReactNode } from 'react'
import { FormField } from '../../../forms/FormField.tsx'
import { Fields } from '../../../shared/page/Section.tsx'
import { DestinationFields } from './DestinationFields.tsx'
import { ANY } from '../form.messages.ts'
import { type FieldName, fieldsIn } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { anyToEmpty } from '../link-values.rules.ts'
import { GroupField, PortField } from './OfferedFields.tsx'

export function AddressFields({ form }: { form: LinkForm }) {
  const names = fieldsIn('address', form.state.values)
  return (
    <Fields columns={3}>
      {names.map((name) => (
        <AddressField key={name} form={form} name={name} />
      ))}
    </Fields>
  )
}

interface FieldProps {
  form: LinkForm
  name: FieldName
}

/** Those that are more than a field. */
const OWN: Partial<Record<FieldName, (props: FieldProps) => ReactNode>> = {
  'config.host': HostField,
  'config.port': PortField,
  'config.multicast': GroupField,
  'config.adapterIp': AdapterField,
}

function AddressField({ form, name }: FieldProps) {
  const Own = OWN[name]
  return Own === undefined ? <FormField form={form} name={name} /> : <Own form={form} name={name} />
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
export function AdapterField({ form, name }: FieldProps) {
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
