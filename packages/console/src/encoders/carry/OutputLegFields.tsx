/** The one output: protocol, mode, where it sends, and with which passphrase. */
import { OUTPUT_TYPES } from '@trunkline/contract/contributions/output.schema'
import { textProps } from '../../forms/form.hook.ts'
import { useChoices } from '../../shared/choices.hook.ts'
import { KEY_CHOICES } from '../../shared/encryption.rules.ts'
import { GenerateKey } from '../../shared/GenerateKey.tsx'
import { Field } from '../../ui/Field.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { Segmented, type Segment } from '../../ui/Segmented.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { CARRY_LABELS, filledIn } from './carry-form.rules.ts'
import * as text from './carry.messages.ts'
import { CARRY_DESTINATIONS } from './carry.queries.ts'
import classes from './CarryDialog.module.css'
import type { LegProps } from './FeederLegFields.tsx'

const TYPES = OUTPUT_TYPES.map((value) => ({ value, label: value, count: null }))
const MODES = [
  { value: 'Push', label: 'Push', count: null },
  { value: 'Listen', label: 'Listen', count: null },
] as const
const SOURCES = [
  { value: 'select', label: 'Select', count: null },
  { value: 'manual', label: 'Manual', count: null },
] as const

export function OutputLegFields(props: LegProps) {
  const { form, known } = props
  const { outputType, mode, source } = form.values
  const isListening = mode === 'Listen'
  return (
    <fieldset className={classes.leg}>
      <legend>Output</legend>
      <div className={classes.pair}>
        <Choice
          label={CARRY_LABELS.outputType}
          segments={TYPES}
          value={outputType}
          onChange={(next) => form.set({ outputType: next })}
        />
        <Choice
          label={CARRY_LABELS.mode}
          segments={MODES}
          value={mode}
          onChange={(next) => form.set({ mode: next, outputPort: null })}
        />
      </div>
      {!isListening && (
        <>
          <Choice
            label={CARRY_LABELS.source}
            segments={SOURCES}
            value={source}
            onChange={(next) => form.set({ source: next })}
          />
          {source === 'select' ? (
            <DestinationSelect {...props} />
          ) : (
            <Field
              label={CARRY_LABELS.host}
              autoComplete="off"
              spellCheck={false}
              placeholder="Host name or address"
              {...textProps(form, 'host')}
            />
          )}
        </>
      )}
      <div className={classes.pair}>
        <Field
          label={CARRY_LABELS.outputPort}
          inputMode="numeric"
          autoComplete="off"
          hint={isListening ? text.PORT_CHECKED : ''}
          {...textProps(form, 'outputPort')}
          value={filledIn(form.values, known).outputPort}
        />
        <SelectField
          label={CARRY_LABELS.outputEncryption}
          choices={KEY_CHOICES}
          value={form.values.outputEncryption}
          error={form.errorOf('outputEncryption')}
          onChange={(outputEncryption) => form.set({ outputEncryption })}
        />
      </div>
      {form.values.outputEncryption !== 'no' && <PassphraseField {...props} />}
    </fieldset>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  segments: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
}

function Choice<T extends string>(props: ChoiceProps<T>) {
  return (
    <div className={classes.choice}>
      <span>{props.label}</span>
      <Segmented {...props} />
    </div>
  )
}

function DestinationSelect({ form, known, lookups }: LegProps) {
  const { destinationId: id } = form.values
  const { rows, chosen, more, onType, isError } = useChoices(CARRY_DESTINATIONS, id)
  const { destination } = known
  const isListed = id === '' || chosen !== null
  return (
    <SelectField
      label={CARRY_LABELS.destinationId}
      choices={[
        ...(id === '' ? [{ value: '', label: text.SELECT_DESTINATION }] : []),
        ...(isListed ? [] : [{ value: id, label: destination?.title ?? '…' }]),
        ...rows.map((one) => ({ value: one.id, label: `${one.title}, ${one.ip}` })),
      ]}
      more={more}
      onType={onType}
      value={id}
      error={form.errorOf('destinationId') || form.errorOf('host')}
      hint={isError ? text.NOT_READ : ''}
      onChange={(next) => {
        const picked = rows.find((one) => one.id === next) ?? null
        lookups.chooseDestination(picked)
        const key = picked?.encryption
        form.set({
          destinationId: next,
          // Q152: prefilled, and the operator's to change.
          ...(key?.selection === 'yes'
            ? { outputEncryption: key.type === 256 ? '256' : '128' }
            : {}),
        })
      }}
      onBlur={() => form.leave('destinationId')}
    />
  )
}

function PassphraseField({ form, known }: LegProps) {
  const { passphrase, mode, source } = form.values
  const isSelected = mode === 'Push' && source === 'select'
  const hasDestinationKey = isSelected && known.destination?.encryption.selection === 'yes'
  return (
    <>
      <SecretField
        label={CARRY_LABELS.passphrase}
        secret="passphrase"
        autoComplete="new-password"
        spellCheck={false}
        hint={hasDestinationKey ? text.KEY_OF_DESTINATION : text.KEY_TYPED}
        {...textProps(form, 'passphrase')}
      />
      <GenerateKey passphrase={passphrase} onGenerate={(next) => form.set({ passphrase: next })} />
    </>
  )
}
