/** The one output: protocol, mode, where it sends, and with which passphrase. */
import { OUTPUT_TYPES } from '@trunkline/contract/contributions/output.schema'
import { FormSelect, FormText, KeyFields } from '../../forms/DialogFields.tsx'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { Segmented, type Segment } from '../../ui/choice/Segmented.tsx'
import { CARRY_LABELS, filledIn } from './carry-form.rules.ts'
import * as text from './carry.messages.ts'
import { CARRY_DESTINATIONS } from './carry.queries.ts'
import classes from './CarryDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'
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
  const isSelected = !isListening && source === 'select'
  const hasDestinationKey = isSelected && known.destination?.encryption.selection === 'yes'
  return (
    <fieldset className={classes.leg}>
      <legend>Output</legend>
      <div className={fieldRow.fitNarrow}>
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
            <FormText
              form={form}
              name="host"
              spellCheck={false}
              placeholder="Host name or address"
            />
          )}
        </>
      )}
      <KeyFields
        form={form}
        choice="outputEncryption"
        value={form.values.outputEncryption}
        choiceHint=""
        onChoose={(outputEncryption) => form.set({ outputEncryption })}
        passphrase="passphrase"
        hint={hasDestinationKey ? text.KEY_OF_DESTINATION : text.KEY_TYPED}
        className={fieldRow.fitNarrow}
        isBelow
      >
        <FormText
          form={form}
          name="outputPort"
          inputMode="numeric"
          hint={isListening ? text.PORT_CHECKED : ''}
          shown={filledIn(form.values, known).outputPort}
        />
      </KeyFields>
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
    <FormSelect
      form={form}
      name="destinationId"
      choices={[
        ...(id === '' ? [{ value: '', label: text.SELECT_DESTINATION }] : []),
        ...(isListed ? [] : [{ value: id, label: destination?.title ?? '…' }]),
        ...rows.map((row) => ({ value: row.id, label: `${row.title}, ${row.ip}` })),
      ]}
      more={more}
      onType={onType}
      error={form.errorOf('destinationId') || form.errorOf('host')}
      hint={isError ? text.NOT_READ : ''}
      onChange={(next) => {
        const picked = rows.find((row) => row.id === next) ?? null
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
    />
  )
}
