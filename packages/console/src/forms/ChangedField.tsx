/** Fields of a configuration page: each place can be marked as changed and be found, numbers take digits only. */
import { useState, type ReactNode } from 'react'
import { Field } from '../ui/Field.tsx'
import classes from './ChangedField.module.css'
import { ONLY_DIGITS } from './unsaved.messages.ts'

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

interface DigitsProps {
  label: string
  value: string
  error: string
  hint?: ReactNode
  unit?: string | undefined
  placeholder?: string | undefined
  /** In place of the unit: a button that knows the value. */
  right?: ReactNode
  onText: (value: string) => void
  onBlur: () => void
}

/** A text field outside of a table of fields. */
export function PlainText({ onText, ...field }: Omit<DigitsProps, 'unit'>) {
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
export function Digits({ unit, right, error, onText, onBlur, ...field }: DigitsProps) {
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

interface SwitchPlaceProps {
  label: string
  hint: ReactNode
  children: ReactNode
}

/** A switch in the look of a field: its label above, its hint below. */
export function SwitchPlace({ label, hint, children }: SwitchPlaceProps) {
  return (
    <>
      <span className={classes.label}>{label}</span>
      <div className={classes.switch}>{children}</div>
      <div className={classes.help}>{hint}</div>
    </>
  )
}
