/**
 * One field of a page's form, drawn as its form declares it: it can be marked as changed and be found,
 * shows what it was, and says what is wrong with it. Numbers take digits only.
 */
import { useId, useState, type ReactNode } from 'react'
import { Field, Help } from '../ui/field/Field.tsx'
import { Segmented, type Segment } from '../ui/choice/Segmented.tsx'
import type { Choice } from '../ui/choice/Select.tsx'
import { SelectField } from '../ui/choice/SelectField.tsx'
import { Switch } from '../ui/choice/Switch.tsx'
import { type FieldSpec, type FieldView, labelOf, specOf, wasText } from './field.rules.ts'
import classes from './FormField.module.css'
import type { NameOf } from './merge.rules.ts'
import type { PageForm } from './page-form.hook.ts'
import { ONLY_DIGITS, VIEW_ONLY } from './unsaved.messages.ts'

export interface FormFieldProps<T extends object, C> {
  form: PageForm<T, C>
  name: NameOf<T>
  /** In place of what the form declares. */
  control?: FieldSpec<T, C>['control']
  hint?: ReactNode
  choices?: readonly Choice<string>[]
  /** Of a long list: how many more match, and where they are found. */
  search?: { more: number; onType: (text: string) => void } | undefined
  /** In place of the unit. */
  right?: ReactNode
  /** Of a text field. */
  placeholder?: string
  suggestions?: readonly string[]
  /** In place of a plain edit. */
  onChange?: (text: string) => void
  /** Beside that the field was left. */
  onBlur?: () => void
}

export function FormField<T extends object, C>(props: FormFieldProps<T, C>) {
  const { form, name } = props
  const field = useField(props)
  return (
    <FieldPlace name={name} isChanged={field.isChanged}>
      <Control field={field} props={props} isReadOnly={form.isReadOnly} />
    </FieldPlace>
  )
}

function useField<T extends object, C>(props: FormFieldProps<T, C>) {
  const { form, name, onBlur } = props
  const { spec, state, context } = form
  const { values } = state
  const own = specOf(spec, name)
  const view: FieldView<T, C> = { values, context, isFaulty: form.faults[name] !== undefined }
  const was = form.marksChanges ? wasText(spec, state, name, context) : ''
  const meaning = props.hint ?? (typeof own.hint === 'function' ? own.hint(view) : own.hint) ?? ''
  const choices = props.choices ?? own.choices ?? []
  const segments = own.segments ?? []
  return {
    spec: own,
    isChanged: was !== '',
    choices: typeof choices === 'function' ? choices(view) : choices,
    segments: typeof segments === 'function' ? segments(values) : segments,
    shared: {
      label: labelOf(spec, name, values),
      value: String(values[name]),
      error: form.faultAt(name),
      hint: hintWith(meaning, was),
      onBlur: () => {
        onBlur?.()
        form.leave(name)
      },
    },
    edit:
      props.onChange ??
      ((text: string) => form.take({ step: 'edit', change: { [name]: text } as Partial<T> })),
  }
}

/** What the value means, and what it was. */
function hintWith(meaning: ReactNode, was: string): ReactNode {
  if (was === '' || meaning === '') return was || meaning
  return (
    <>
      {meaning} · {was}
    </>
  )
}

interface ControlProps<T extends object, C> {
  field: ReturnType<typeof useField<T, C>>
  props: FormFieldProps<T, C>
  isReadOnly: boolean
}

function Control<T extends object, C>({ field, props, isReadOnly }: ControlProps<T, C>) {
  const { spec, shared, edit } = field
  switch (props.control ?? spec.control ?? 'text') {
    case 'number':
      return <Digits {...shared} unit={spec.unit} right={props.right} onText={edit} />
    case 'choice':
      return <SelectField {...shared} {...props.search} choices={field.choices} onChange={edit} />
    case 'switch':
      return <SwitchControl {...shared} isReadOnly={isReadOnly} onChange={edit} />
    case 'segments':
      return <Segments {...shared} segments={field.segments} onChange={edit} />
    case 'text':
      return (
        <TextControl
          {...shared}
          placeholder={props.placeholder ?? spec.placeholder}
          right={props.right}
          suggestions={props.suggestions}
          onText={edit}
        />
      )
  }
}

interface PlaceProps {
  name: string
  isChanged: boolean
  children: ReactNode
}

/** Where a field stands, so that it can be marked and found. */
export function FieldPlace({ name, isChanged, children }: PlaceProps) {
  return (
    <div className={classes.place} data-field={name} data-changed={isChanged || undefined}>
      {children}
    </div>
  )
}

export function Unit({ children }: { children: string }) {
  return <span className={classes.unit}>{children}</span>
}

interface ControlTextProps {
  label: string
  value: string
  error: string
  hint?: ReactNode
  placeholder?: string | undefined
  /** In place of the unit: a button that knows the value. */
  right?: ReactNode
  onText: (value: string) => void
  onBlur: () => void
}

export function TextControl(
  props: ControlTextProps & { suggestions?: readonly string[] | undefined },
) {
  const { onText, ...field } = props
  return (
    <Field
      {...field}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onText(event.target.value)}
    />
  )
}

/** CFG-38, CFG-39, IN-FORM-25: anything but digits does not get in, and the field says so. */
export function Digits(props: ControlTextProps & { unit?: string | undefined }) {
  const { unit, right, error, onText, onBlur, ...field } = props
  const [isRefused, setRefused] = useState(false)
  return (
    <Field
      {...field}
      error={isRefused ? ONLY_DIGITS : error}
      inputMode="numeric"
      autoComplete="off"
      right={right ?? (unit === undefined ? undefined : <Unit>{unit}</Unit>)}
      onChange={({ target }) => {
        // A pasted number may bring spaces along.
        const digits = target.value.trim()
        const isDigits = /^\d*$/.test(digits)
        setRefused(!isDigits)
        if (isDigits) onText(digits)
      }}
      onBlur={() => {
        setRefused(false)
        onBlur()
      }}
    />
  )
}

interface SwitchControlProps {
  label: string
  value: string
  hint: ReactNode
  isReadOnly: boolean
  onChange: (text: string) => void
}

/** A switch in the look of a field: its label above, its hint below. */
function SwitchControl({ label, value, hint, isReadOnly, onChange }: SwitchControlProps) {
  const isOn = value === '1'
  return (
    <>
      <span className={classes.label}>{label}</span>
      <div className={classes.switch}>
        <Switch
          label={label}
          isOn={isOn}
          isBusy={false}
          disabledReason={isReadOnly ? VIEW_ONLY : null}
          onToggle={(next) => onChange(next ? '1' : '0')}
        />
        <span>{isOn ? 'On' : 'Off'}</span>
      </div>
      <Help hint={hint} />
    </>
  )
}

interface SegmentsProps {
  label: string
  value: string
  error: string
  hint: ReactNode
  segments: readonly Segment<string>[]
  onChange: (text: string) => void
}

/** A choice of few, all of them in sight. */
function Segments({ label, value, error, hint, segments, onChange }: SegmentsProps) {
  const helpId = useId()
  return (
    <>
      <span className={classes.label}>{label}</span>
      <div className={classes.segments} aria-describedby={helpId} role="presentation">
        <Segmented label={label} segments={segments} value={value} onChange={onChange} />
      </div>
      <Help id={helpId} error={error} hint={hint} />
    </>
  )
}
