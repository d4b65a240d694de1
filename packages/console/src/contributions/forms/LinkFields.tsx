/** The fields of the input and output forms: each shows what it was, and what is wrong with it. */
import { useId, type ReactNode } from 'react'
import { Digits, FieldPlace } from '../../forms/ChangedField.tsx'
import {
  KEY_CHOICES,
  type KeyChoice,
  keyChoiceOf,
  keyChoiceText,
} from '../../shared/encryption.rules.ts'
import { Field } from '../../ui/Field.tsx'
import { Segmented, type Segment } from '../../ui/Segmented.tsx'
import type { Choice } from '../../ui/Select.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { ANY } from './form.messages.ts'
import classes from './LinkFields.module.css'
import { wasText } from './link-change.rules.ts'
import { type FieldName, labelOf, UNITS } from './link-field.rules.ts'
import type { Search } from './known-places.hook.ts'
import type { LinkForm } from './link-form.hook.ts'
import { hintOf } from './link-hint.rules.ts'
import { anyToEmpty } from './link-values.rules.ts'

interface LinkFieldProps {
  form: LinkForm
  name: FieldName
  /** In place of what the number means; shown while the field is as it was saved. */
  hint?: ReactNode
}

function useField({ form, name, hint }: LinkFieldProps) {
  const { base, values } = form.state
  const was = wasText(base, values, name, form.known.titleOf)
  const isChanged = base.fields[name] !== values.fields[name]
  const meaning = hint ?? hintOf(name, values.fields)
  const isWasShown = was !== '' && !form.isNew
  return {
    isChanged: isChanged && !form.isNew,
    props: {
      label: labelOf(form.kind, name, values.fields),
      value: values.fields[name],
      error: form.faultAt(name),
      hint: isWasShown ? (
        <span>
          {meaning}
          {meaning !== '' && ' · '}
          <span className={classes.was}>{was}</span>
        </span>
      ) : (
        meaning
      ),
      onBlur: () => form.leave(name),
    },
    edit: (text: string) => form.take({ step: 'edit', name, text }),
  }
}

export function TextField({
  placeholder,
  right,
  ...props
}: LinkFieldProps & { placeholder?: string; right?: ReactNode }) {
  const { isChanged, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={isChanged}>
      <Field
        {...field}
        placeholder={placeholder}
        right={right}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => edit(event.target.value)}
      />
    </FieldPlace>
  )
}

export function NumberField({ right, ...props }: LinkFieldProps & { right?: ReactNode }) {
  const { isChanged, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={isChanged}>
      <Digits {...field} right={right} unit={UNITS[props.name]} onText={edit} />
    </FieldPlace>
  )
}

export function ChoiceField({
  choices,
  search,
  ...props
}: LinkFieldProps & { choices: readonly Choice<string>[]; search?: Search | undefined }) {
  const { isChanged, props: field, edit } = useField(props)
  return (
    <FieldPlace name={props.name} isChanged={isChanged}>
      <SelectField {...field} {...search} choices={choices} onChange={edit} />
    </FieldPlace>
  )
}

/** None, AES-128 or AES-256: two fields of the wire in one control, as in feeders and destinations. */
export function KeyChoiceField({ form, hint }: { form: LinkForm; hint: string }) {
  const { base, values } = form.state
  const choiceOf = ({ fields }: typeof values) =>
    keyChoiceOf(fields['encryption.selection'], fields['encryption.type'])
  const [was, now] = [choiceOf(base), choiceOf(values)]
  const isChanged = !form.isNew && was !== now
  const name = 'encryption.selection'
  const choose = (choice: KeyChoice) => {
    form.take({ step: 'edit', name, text: choice === 'no' ? 'no' : 'yes' })
    if (choice !== 'no') form.take({ step: 'edit', name: 'encryption.type', text: choice })
  }
  return (
    <FieldPlace name={name} isChanged={isChanged}>
      <SelectField
        label={labelOf(form.kind, name, values.fields)}
        choices={KEY_CHOICES}
        value={now}
        error={form.faultAt(name) || form.faultAt('encryption.type')}
        hint={isChanged ? <span className={classes.was}>was {keyChoiceText(was)}</span> : hint}
        onChange={choose}
        onBlur={() => form.leave(name)}
      />
    </FieldPlace>
  )
}

interface SegmentFieldProps extends LinkFieldProps {
  segments: readonly Segment<string>[]
  /** In place of a plain edit. */
  onChange?: (value: string) => void
}

/** A choice of few, all of them in sight. */
export function SegmentField({ segments, onChange, ...props }: SegmentFieldProps) {
  const { isChanged, props: field, edit } = useField(props)
  const helpId = useId()
  const isBad = field.error !== ''
  return (
    <FieldPlace name={props.name} isChanged={isChanged}>
      <span className={classes.label}>{field.label}</span>
      <div className={classes.segments} aria-describedby={helpId} role="presentation">
        <Segmented
          label={field.label}
          segments={segments}
          value={field.value}
          onChange={onChange ?? edit}
        />
      </div>
      <div className={classes.help} id={helpId} data-bad={isBad || undefined}>
        {isBad ? field.error : field.hint}
      </div>
    </FieldPlace>
  )
}

/** IN-FORM-15: empty is Any, and so is the word (Q164). */
export function AnyHostField({
  addresses,
  ...props
}: LinkFieldProps & { addresses: readonly string[] }) {
  const { isChanged, props: field, edit } = useField(props)
  const listId = useId()
  return (
    <FieldPlace name={props.name} isChanged={isChanged}>
      <Field
        {...field}
        placeholder={ANY}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => edit(event.target.value)}
        onBlur={() => {
          if (anyToEmpty(field.value) !== field.value) edit(anyToEmpty(field.value))
          field.onBlur()
        }}
      />
      <datalist id={listId}>
        {addresses.map((address) => (
          <option key={address} value={address}>
            {address}
          </option>
        ))}
      </datalist>
    </FieldPlace>
  )
}

/** IN-FORM-12: the server's own adapters; one that it has no more stays until another is chosen. */
export function AdapterField(props: LinkFieldProps) {
  const { form, name } = props
  const adapters = form.known.server?.adapterIps ?? []
  const value = form.state.values.fields[name]
  const isKnown = value === '' || adapters.some(({ adapterIp }) => adapterIp === value)
  return (
    <ChoiceField
      {...props}
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
