/** Where an output in mode Push sends: a destination by its title, or an address typed (OUT-FORM-06, OUT-FORM-07). */
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useState } from 'react'
import { FieldPlace } from '../../forms/ChangedField.tsx'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SELECT_DESTINATION } from '../contribution.messages.ts'
import classes from './DestinationFields.module.css'
import { destinationMoved, HOST_PLACEHOLDER, NO_DESTINATIONS } from './form.messages.ts'
import { TextField } from './LinkFields.tsx'
import type { LinkForm } from './link-form.hook.ts'
import type { ChosenDestination } from './link-state.rules.ts'

type Source = 'select' | 'manual'
const SOURCES = [
  { value: 'select', label: 'Select', count: null },
  { value: 'manual', label: 'Manual', count: null },
] as const

export function DestinationFields({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  const { destinations } = form.known
  const [chosen, setChosen] = useState<Source | null>(null)
  const isTyped = fields['config.host'] !== '' && fields['destinationId'] === ''
  const source = chosen ?? (isTyped || destinations.total === 0 ? 'manual' : 'select')
  const change = (next: Source) => {
    setChosen(next)
    if (next === source) return
    form.take({ step: 'choose-destination', destination: null })
    // An address that was typed is the choice of no title.
    if (next === 'select') form.take({ step: 'edit', name: 'config.host', text: '' })
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
        <TextField form={form} name="config.host" placeholder={HOST_PLACEHOLDER} />
      )}
    </div>
  )
}

function DestinationSelect({ form }: { form: LinkForm }) {
  const { base, values } = form.state
  const { destinations } = form.known
  const id = values.fields['destinationId']
  const chosen = form.known.destinationOf(id)
  const isKnown = id === '' || destinations.rows.some((one) => one.id === id)
  return (
    <FieldPlace name="config.host" isChanged={!form.isNew && base.fields['destinationId'] !== id}>
      <SelectField
        label="Destination Host"
        choices={[
          { value: '', label: SELECT_DESTINATION, isInert: id !== '' },
          ...destinations.rows.map((one) => ({ value: one.id, label: `${one.title}, ${one.ip}` })),
          ...(isKnown ? [] : [{ value: id, label: values.fields['config.host'] }]),
        ]}
        {...destinations.search}
        value={id}
        error={form.faultAt('destinationId') || form.faultAt('config.host')}
        hint={<SelectHint form={form} chosen={chosen} />}
        onBlur={() => form.leave('config.host')}
        onChange={(next) => {
          const destination = form.known.destinationOf(next)
          if (destination !== null) choose(form, destination)
        }}
      />
    </FieldPlace>
  )
}

function SelectHint({ form, chosen }: { form: LinkForm; chosen: Destination | null }) {
  const host = form.state.values.fields['config.host']
  if (form.known.destinations.total === 0) return NO_DESTINATIONS
  if (chosen === null) return ''
  if (chosen.ip === host)
    return chosen.encryption.selection === 'yes' ? 'Encrypted: its passphrase is taken over.' : ''
  return (
    <>
      <span>{destinationMoved(chosen.title, chosen.ip)}</span>
      <Button size={28} onClick={() => choose(form, chosen)}>
        Use {chosen.ip}
      </Button>
    </>
  )
}

function choose(form: LinkForm, destination: Destination): void {
  form.take({ step: 'choose-destination', destination: chosenOf(destination) })
}

function chosenOf({ id, ip, encryption }: Destination): ChosenDestination {
  return { id, ip, keyBits: encryption.selection === 'yes' ? encryption.type : 0 }
}
