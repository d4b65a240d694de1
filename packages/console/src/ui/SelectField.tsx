/** A labelled choice out of a short list in a form, in the look of Field. */
import { useId, type ReactNode } from 'react'
import fieldClasses from './Field.module.css'
import { Icon } from './Icon.tsx'
import type { Choice } from './Select.tsx'
import classes from './Select.module.css'

interface SelectFieldProps<T extends string> {
  label: string
  choices: readonly Choice<T>[]
  value: T
  onChange: (value: T) => void
  onBlur?: (() => void) | undefined
  /** A sentence; '' when the field is well. */
  error?: string | undefined
  hint?: ReactNode
  /** Where the focus begins in a dialog. */
  'data-autofocus'?: boolean
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { choices, value, error = '' } = props
  const id = useId()
  const isBad = error !== ''
  return (
    <div>
      <label className={fieldClasses.label} htmlFor={id}>
        {props.label}
      </label>
      <div className={classes.select} data-size={36} data-bad={isBad || undefined}>
        <select
          id={id}
          className={classes.native}
          value={value}
          data-autofocus={props['data-autofocus'] || undefined}
          aria-invalid={isBad || undefined}
          aria-describedby={`${id}-help`}
          onBlur={props.onBlur}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value)
            if (chosen) props.onChange(chosen.value)
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.isInert}>
              {choice.label}
            </option>
          ))}
        </select>
        <Icon name="down" size={13} />
      </div>
      <div className={fieldClasses.help} id={`${id}-help`} data-bad={isBad || undefined}>
        {isBad ? error : props.hint}
      </div>
    </div>
  )
}
