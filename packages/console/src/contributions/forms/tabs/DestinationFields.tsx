/** Where an output in mode Push sends: a destination by its title, or an address typed (OUT-FORM-06, OUT-FORM-07). */
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useState } from 'react'
import { labelOf } from '../../../forms/field.rules.ts'
import { FieldPlace, FormField } from '../../../forms/FormField.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { SelectField } from '../../../ui/choice/SelectField.tsx'
import { SELECT_DESTINATION } from '../../contribution.messages.ts'
import classes from './DestinationFields.module.css'
import { destinationMoved, NO_DESTINATIONS } from '../form.messages.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { destinationTexts } from '../link-form.rules.ts'

type Source = 'select' | 'manual'
const SOURCES = [
  { value: 'select', label: 'Select', count: null },
  { value: 'manual', label: 'Manual', count: null },
] as const

export function DestinationFields({ form }: { form: LinkForm }) {
  const { values } = form.state
  const { destinations } = form.context
  const [chosen, setChosen] = useState<Source | null>(null)
  const isTyped = values['config.host'] !== '' && values.destinationId === ''
  const source = chosen ?? (isTyped || destinations.total === 0 ? 'manual' : 'select')
  const change = (next: Source) => {
    setChosen(next)
    if (next === source) return
    // An address that was typed is the choice of no title.
    const host = next === 'select' ? { 'config.host': '' } : {}
    form.take({ step: 'edit', change: { destinationId: '', ...host } })
  }
  return (
    <div className={classes.destination}>
      <div className={classes.source}>
        <Segmented
          label="Destination by title or by address"
          segments={SOURCES}
          value={source}
          onChange={change}
        />
      </div>
      {source === 'select' ? (
        <DestinationSelect form={form} />
      ) : (
        <FormField form={form} name="config.host" />
      )}
    </div>
  )
}

function DestinationSelect({ form }: { form: LinkForm }) {
  const { base, values } = form.state
  const { destinations, destinationOf } = form.context
  const { destinationId: id } = values
  const isKnown = id === '' || destinations.rows.some((row) => row.id === id)
  return (
    <FieldPlace name="config.host" isChanged={form.marksChanges && base.destinationId !== id}>
      <SelectField
        label={labelOf(form.spec, 'destinationId', values)}
        choices={[
          { value: '', label: SELECT_DESTINATION, isDisabled: id !== '' },
          ...destinations.rows.map(({ id: value, title, ip }) => ({
            value,
            label: `${title}, ${ip}`,
          })),
          ...(isKnown ? [] : [{ value: id, label: values['config.host'] }]),
        ]}
        {...destinations.search}
        value={id}
        error={form.faultAt('destinationId') || form.faultAt('config.host')}
        hint={<SelectHint form={form} chosen={destinationOf(id)} />}
        onBlur={() => form.leave('config.host')}
        onChange={(next) => {
          const destination = destinationOf(next)
          if (destination !== null) choose(form, destination)
        }}
      />
    </FieldPlace>
  )
}

function SelectHint({ form, chosen }: { form: LinkForm; chosen: Destination | null }) {
  const host = form.state.values['config.host']
  if (form.context.destinations.total === 0) return NO_DESTINATIONS
  if (chosen === null) return ''
  if (chosen.ip === host)
    return chosen.encryption.selection === 'yes' ? 'Encrypted: its passphrase is used.' : ''
  return (
    <>
      <span>{destinationMoved(chosen.title, chosen.ip)}</span>
      <Button size={28} onClick={() => choose(form, chosen)}>
        Use {chosen.ip}
      </Button>
    </>
  )
}

function choose(form: LinkForm, { id, ip, encryption }: Destination): void {
  const keyBits = encryption.selection === 'yes' ? encryption.type : 0
  form.take({ step: 'edit', change: destinationTexts({ id, ip, keyBits }) })
}
