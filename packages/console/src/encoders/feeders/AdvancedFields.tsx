/** SRT parameters by name, each with its unit, its limits and what it is for. */
import { SRT_ADVANCED_KEYS } from '@trunkline/contract/contributions/srt-parameter.rules'
import type { Form } from '../../lib/form.hook.ts'
import { srtParameterHint, srtParameterUnit } from '../../shared/srt-parameter.rules.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import {
  FEEDER_LABELS,
  freeKeys,
  parameterFault,
  type FeederValues,
  type TypedParameter,
} from './feeder-form.rules.ts'
import classes from './FeederDialog.module.css'

export function AdvancedFields({ form }: { form: Form<FeederValues> }) {
  const { advanced } = form.values
  const [nextKey] = freeKeys(advanced, '')
  const set = (list: readonly TypedParameter[]) => form.set({ advanced: list })
  return (
    <fieldset className={classes.advanced}>
      <legend>{FEEDER_LABELS.advanced}</legend>
      {advanced.map((line, at) => (
        <Parameter
          key={line.key}
          form={form}
          line={line}
          onChange={(changed) => set(advanced.with(at, changed))}
          onRemove={() => set(advanced.toSpliced(at, 1))}
        />
      ))}
      {nextKey !== undefined && (
        <Button
          size={28}
          icon="plus"
          onClick={() => set([...advanced, { key: nextKey, value: '' }])}
        >
          Add parameter
        </Button>
      )}
    </fieldset>
  )
}

interface ParameterProps {
  form: Form<FeederValues>
  line: TypedParameter
  onChange: (line: TypedParameter) => void
  onRemove: () => void
}

function Parameter({ form, line, onChange, onRemove }: ParameterProps) {
  const { key, value } = line
  const known = SRT_ADVANCED_KEYS.find((one) => one === key)
  // A parameter complains once the list was left or saved, as every field does.
  const error = form.errorOf('advanced') === '' ? '' : parameterFault(line)
  return (
    <div className={classes.parameter}>
      <SelectField
        label="Parameter"
        choices={freeKeys(form.values.advanced, key).map((one) => ({ value: one, label: one }))}
        value={key}
        onChange={(next) => onChange({ key: next, value: '' })}
      />
      <Field
        label={`Value of ${key}`}
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={error}
        hint={known === undefined ? '' : srtParameterHint(known)}
        right={
          <span className={classes.unit}>{known === undefined ? '' : srtParameterUnit(known)}</span>
        }
        onChange={(event) => onChange({ key, value: event.target.value })}
        onBlur={() => form.leave('advanced')}
      />
      <IconButton icon="close" label={`Remove ${key}`} tone="quiet" size={28} onClick={onRemove} />
    </div>
  )
}
