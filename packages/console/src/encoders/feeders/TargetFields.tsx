/** Where a feeder sends: the server, one of its addresses or any other, and the port there. */
import { type ReactNode, useId } from 'react'
import { type Form, textProps } from '../../forms/form.hook.ts'
import { useHost } from '../../lib/live-hooks.ts'
import { Field } from '../../ui/Field.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import * as text from './feeder.messages.ts'
import { FEEDER_LABELS, filledIn, type FeederValues } from './feeder-form.rules.ts'
import type { ServerOffer } from './feeder-offer.hook.ts'
import classes from './FeederDialog.module.css'

interface TargetFieldsProps {
  form: Form<FeederValues>
  offer: ServerOffer
  /** Stands beside the server. */
  inputPort: ReactNode
}

export function TargetFields({ form, offer, inputPort }: TargetFieldsProps) {
  const listId = useId()
  const filled = filledIn(form.values, offer)
  const isOffered = form.values.targetPort === null && offer.targetPort !== ''
  return (
    <>
      <div className={classes.pair}>
        {inputPort}
        <ServerField form={form} offer={offer} />
        <Field
          label={FEEDER_LABELS.targetIp}
          autoComplete="off"
          spellCheck={false}
          list={listId}
          {...textProps(form, 'targetIp')}
          value={filled.targetIp}
        />
        <Field
          label={FEEDER_LABELS.targetPort}
          inputMode="numeric"
          autoComplete="off"
          hint={isOffered ? 'Next free on this server' : ''}
          {...textProps(form, 'targetPort')}
          value={filled.targetPort}
        />
        <datalist id={listId}>
          {offer.addresses.map((address) => (
            <option key={address} value={address}>
              {address}
            </option>
          ))}
        </datalist>
      </div>
      {offer.serverTitle !== '' && filled.targetPort !== '' && (
        <p className={classes.needs}>{text.neededInput(filled.targetPort, offer.serverTitle)}</p>
      )}
    </>
  )
}

function ServerField({ form, offer }: { form: Form<FeederValues>; offer: ServerOffer }) {
  const { serverId } = form.values
  const host = useHost(serverId)
  const isListed = serverId === '' || offer.servers.some(({ _id }) => _id === serverId)
  const choices = [
    ...(serverId === '' ? [{ value: '', label: 'Select server' }] : []),
    ...offer.servers.map(({ _id, title }) => ({ value: _id, label: title })),
    // The server that it has may be none of those that were read.
    ...(isListed ? [] : [{ value: serverId, label: offer.serverTitle || '…' }]),
  ]
  const known = host === null ? '' : host.online ? 'Online' : 'Offline: it takes no stream now.'
  return (
    <SelectField
      label={FEEDER_LABELS.serverId}
      choices={choices}
      more={offer.more}
      onType={offer.onType}
      value={serverId}
      error={form.errorOf('serverId')}
      hint={offer.isFailed ? 'The servers could not be read. Close this and try again.' : known}
      onChange={(next) => {
        // What was typed for another server is no target here.
        form.set({ serverId: next, targetIp: null, targetPort: null })
        offer.choose(next)
      }}
      onBlur={() => form.leave('serverId')}
    />
  )
}
