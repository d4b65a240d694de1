/** The fields of the configuration form: each shows what it was, and what is wrong with it. */
import type { ReactNode } from 'react'
import { Digits, FieldPlace, SwitchPlace } from '../../forms/ChangedField.tsx'
import { Field } from '../../ui/Field.tsx'
import type { Choice } from '../../ui/Select.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { wasText } from './config-change.rules.ts'
import { FIELD_LABELS, type FieldName } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import * as text from './config.messages.ts'

interface ConfigFieldProps {
  form: ConfigForm
  name: FieldName
  /** Shown while the field is as it was saved. */
  hint?: ReactNode
}

function useField({ form, name, hint }: ConfigFieldProps) {
  const was = wasText(form.state, name)
  return {
    was,
    props: {
      label: FIELD_LABELS[name],
      value: form.state.values.fields[name],
      error: form.faultAt(name),
      hint: was === '' ? hint : was,
      onBlur: () => form.leave(name),
    },
    edit: (value: string) => form.take({ step: 'edit', name, text: value }),
  }
}

export function TextField(props: ConfigFieldProps) {
  const { was, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={was !== ''}>
      <Field
        {...field}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => edit(event.target.value)}
      />
    </FieldPlace>
  )
}

export function NumberField({ unit, ...props }: ConfigFieldProps & { unit?: string }) {
  const { was, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={was !== ''}>
      <Digits {...field} unit={unit} onText={edit} />
    </FieldPlace>
  )
}

interface ChoiceFieldProps extends ConfigFieldProps {
  choices: readonly Choice<string>[]
}

export function ChoiceField({ choices, ...props }: ChoiceFieldProps) {
  const { was, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={was !== ''}>
      <SelectField {...field} choices={choices} onChange={edit} />
    </FieldPlace>
  )
}

/** Choices that are their own labels. */
export function plainChoices(values: readonly (string | number)[]): Choice<string>[] {
  return values.map((value) => ({ value: String(value), label: String(value) }))
}

export function SwitchField(props: ConfigFieldProps) {
  const { was, props: field, edit } = useField(props)
  const isOn = field.value === '1'
  return (
    <FieldPlace name={props.name} isChanged={was !== ''}>
      <SwitchPlace label={field.label} hint={field.hint}>
        <Switch
          label={field.label}
          isOn={isOn}
          isBusy={false}
          disabledReason={props.form.isReadOnly ? text.VIEW_ONLY : null}
          onToggle={(next) => edit(next ? '1' : '0')}
        />
        <span>{isOn ? 'On' : 'Off'}</span>
      </SwitchPlace>
    </FieldPlace>
  )
}
