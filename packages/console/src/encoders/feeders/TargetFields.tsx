/** Where a feeder sends: the server, one of its addresses or any other, and the port there. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { ReactNode } from 'react'
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import type { Form } from '../../forms/form.hook.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { Band } from '../../ui/notice/Notice.tsx'
import * as text from './feeder.messages.ts'
import { filledIn, type FeederValues, targetWarning } from './feeder-form.rules.ts'
import type { ServerOffer } from './feeder-offer.hook.ts'
import classes from './FeederDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface TargetFieldsProps {
  form: Form<FeederValues>
  offer: ServerOffer
  /** Of the encoder, without the edited feeder. */
  others: readonly Feeder[]
  /** Stands beside the server. */
  inputPort: ReactNode
}

export function TargetFields({ form, offer, others, inputPort }: TargetFieldsProps) {
  const filled = filledIn(form.values, offer)
  const warning = targetWarning(filled, others)
  const isOffered = form.values.targetPort === null && offer.targetPort !== ''
  return (
    <>
      <div className={fieldRow.fit}>
        {inputPort}
        <ServerField form={form} offer={offer} />
        <FormText
          form={form}
          name="targetIp"
          spellCheck={false}
          suggestions={offer.addresses}
          shown={filled.targetIp}
        />
        <FormText
          form={form}
          name="targetPort"
          inputMode="numeric"
          hint={isOffered ? 'Next free on this server' : ''}
          shown={filled.targetPort}
        />
      </div>
      {warning !== '' && (
        <Band family="warn" shape="triangle">
          {warning}
        </Band>
      )}
      {offer.serverTitle !== '' && filled.targetPort !== '' && (
        <p className={classes.needs}>{text.neededInput(filled.targetPort, offer.serverTitle)}</p>
      )}
    </>
  )
}

function ServerField({ form, offer }: { form: Form<FeederValues>; offer: ServerOffer }) {
  const { serverId } = form.values
  const host = useHost('server', serverId)
  const isListed = serverId === '' || offer.servers.some(({ _id }) => _id === serverId)
  const choices = [
    ...(serverId === '' ? [{ value: '', label: 'Select server' }] : []),
    ...offer.servers.map(({ _id, title }) => ({ value: _id, label: title })),
    // The server that it has may be none of those that were read.
    ...(isListed ? [] : [{ value: serverId, label: offer.serverTitle || '…' }]),
  ]
  const known = host === null ? '' : host.online ? 'Online' : 'Offline: it takes no stream now.'
  return (
    <FormSelect
      form={form}
      name="serverId"
      choices={choices}
      more={offer.more}
      onType={offer.onType}
      hint={offer.isFailed ? 'The servers could not be read. Close this and try again.' : known}
      onChange={(next) => {
        // What was typed for another server is no target here.
        form.set({ serverId: next, targetIp: null, targetPort: null })
        offer.choose(next)
      }}
    />
  )
}
