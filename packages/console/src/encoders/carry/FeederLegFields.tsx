/** From the encoder's host to the server: which feeder, which server, and the port of the input there. */
import { FormSelect, FormText } from '../../forms/DialogFields.tsx'
import type { Form } from '../../forms/form.hook.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { KEY_CHOICES } from '../../shared/link-settings/encryption.rules.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { targetOf } from '../feeders/feeder.rules.ts'
import {
  CARRY_LABELS,
  type CarryKnown,
  type CarryValues,
  type FeederUse,
  filledIn,
  knownFeeder,
  feederUseOf,
  withFeeder,
} from './carry-form.rules.ts'
import type { CarryLookups } from './carry-lookups.hook.ts'
import * as text from './carry.messages.ts'
import classes from './CarryDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'

export interface LegProps {
  form: Form<CarryValues>
  known: CarryKnown
  lookups: CarryLookups
}

export function FeederLegFields(props: LegProps) {
  const { form, known } = props
  const { feeder, serverId } = form.values
  const isKept = feederUseOf(form.values) === 'keep'
  const hasFeeders = known.config.feeder.length > 0 || feeder !== 'new'
  return (
    <fieldset className={classes.leg}>
      <legend>Encoder to server</legend>
      {hasFeeders && <FeederSelect {...props} />}
      {isKept ? <KeptServer {...props} /> : <ServerSelect {...props} />}
      {!isKept && serverId !== '' && <TargetFields {...props} />}
    </fieldset>
  )
}

function FeederSelect({ form, known, lookups }: LegProps) {
  const choices = known.config.feeder.flatMap((feeder) => {
    const { name, input } = feeder
    const what = `'${input.title}' to ${targetOf(feeder)}`
    return [
      { value: `keep ${name}` as const, label: `Use ${what} as it is` },
      { value: `replace ${name}` as const, label: `Replace ${what}` },
    ]
  })
  const { feeder: chosen } = form.values
  const isGone = chosen !== 'new' && knownFeeder(form.values, known) === null
  const choose = (feeder: FeederUse) => {
    const change = withFeeder(feeder, known)
    form.set(change)
    const isKept = feederUseOf({ feeder }) === 'keep'
    lookups.keepFeeder(isKept ? (knownFeeder({ feeder }, known)?.name ?? '') : '')
    if (change.serverId !== undefined) lookups.chooseServer(change.serverId)
  }
  return (
    <FormSelect<CarryValues, FeederUse>
      form={form}
      name="feeder"
      choices={[
        { value: 'new', label: 'Add a feeder' },
        ...choices,
        ...(isGone ? [{ value: chosen, label: 'Deleted feeder' }] : []),
      ]}
      isListed
      error={
        form.errorOf('feeder') || (known.receiver === '' ? '' : text.isReceived(known.receiver))
      }
      onChange={choose}
    />
  )
}

/** A feeder that is used as it is decides where it goes. */
function KeptServer({ form, known, lookups }: LegProps) {
  const kept = knownFeeder(form.values, known)
  return (
    <Field
      label={CARRY_LABELS.serverId}
      value={lookups.serverTitle}
      readOnly
      hint={kept === null ? '' : text.sendsTo(targetOf(kept))}
      error={form.errorOf('serverId') || form.errorOf('targetPort')}
      right={<Icon name="lock" size={14} />}
    />
  )
}

function ServerSelect({ form, lookups }: LegProps) {
  const { rows, more, onType, isError } = useChoices(GATEWAYS, '')
  const { serverId } = form.values
  const host = useHost('server', serverId)
  const found = rows.map(({ _id, title }) => ({ value: _id, label: title }))
  const isListed = serverId === '' || found.some(({ value }) => value === serverId)
  const offline = host?.online === false ? text.SERVER_OFFLINE : ''
  return (
    <FormSelect
      form={form}
      name="serverId"
      choices={[
        ...(serverId === '' ? [{ value: '', label: text.SELECT_SERVER }] : []),
        ...(isListed ? [] : [{ value: serverId, label: lookups.serverTitle || '…' }]),
        ...found,
      ]}
      more={more}
      onType={onType}
      hint={isError ? text.NOT_READ : offline}
      onChange={(next) => {
        // Address and port were those of the other server.
        form.set({ serverId: next, targetIp: null, targetPort: null })
        lookups.chooseServer(next)
      }}
    />
  )
}

function TargetFields({ form, known, lookups }: LegProps) {
  const filled = filledIn(form.values, known)
  return (
    <div className={fieldRow.fitNarrow}>
      <FormText
        form={form}
        name="targetIp"
        spellCheck={false}
        suggestions={lookups.addresses}
        hint={text.ADDRESS_HINT}
        shown={filled.targetIp}
      />
      <TargetPort form={form} known={known} lookups={lookups} />
      <FormText form={form} name="inputPort" inputMode="numeric" hint={text.INPUT_PORT_HINT} />
      <FormText
        form={form}
        name="latency"
        inputMode="numeric"
        right={<span className={classes.unit}>ms</span>}
      />
      <FormSelect
        form={form}
        name="encryption"
        choices={KEY_CHOICES}
        hint={form.values.encryption === 'no' ? '' : text.KEY_GENERATED}
      />
    </div>
  )
}

function TargetPort({ form, known: { offer }, lookups }: LegProps) {
  const { targetPort } = form.values
  const error = form.errorOf('targetPort')
  const isOffered = targetPort === null && offer.targetPort !== ''
  const isOther = offer.targetPort !== '' && (targetPort ?? offer.targetPort) !== offer.targetPort
  return (
    <FormText
      form={form}
      name="targetPort"
      inputMode="numeric"
      hint={isOffered ? text.NEXT_FREE : lookups.portFailure}
      right={
        error !== '' && isOther ? (
          <Button size={28} onClick={() => form.set({ targetPort: null })}>
            Use {offer.targetPort}
          </Button>
        ) : undefined
      }
      shown={targetPort ?? offer.targetPort}
    />
  )
}
