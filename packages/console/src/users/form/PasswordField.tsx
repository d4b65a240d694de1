/** A password that is being made up: it can be looked at, and says how hard it is to guess. */
import type { ChangeEvent } from 'react'
import { SecretField } from '../../ui/field/SecretField.tsx'
import { strengthOf } from './password-strength.rules.ts'
import classes from './PasswordField.module.css'

interface PasswordFieldProps {
  label: string
  value: string
  error: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onBlur: () => void
  /** Names and e-mail of whose password it is; null for a confirmation, which has no strength. */
  personal: readonly string[] | null
  /** While nothing is typed. */
  hint?: string | undefined
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, value, personal } = props
  const { strength, sentence } = strengthOf(personal === null ? '' : value, personal ?? [])
  return (
    <SecretField
      label={label}
      secret={label.toLocaleLowerCase('en')}
      autoComplete="new-password"
      spellCheck={false}
      value={value}
      error={props.error}
      onChange={props.onChange}
      onBlur={props.onBlur}
      hint={
        strength === 'none' ? (
          props.hint
        ) : (
          <>
            <span className={classes.meter} data-strength={strength} aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {sentence}
          </>
        )
      }
    />
  )
}
