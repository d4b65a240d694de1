/** A labelled choice in a form, in the look of Field: listed, or found by typing where there are many. */
import { useId, type ReactNode } from 'react'
import { Combobox } from './Combobox.tsx'
import fieldClasses from '../field/Field.module.css'
import { Help } from '../field/Field.tsx'
import { Icon } from '../symbol/Icon.tsx'
import { labelOf, type Choice, useIsLong } from './Select.tsx'
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
  /** Numbers in order need no search, however many. */
  isListed?: boolean
  /** Of a list that is longer than what was read: how many more match, and where they are found. */
  more?: number | undefined
  onType?: ((text: string) => void) | undefined
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { choices, value, error = '', more = 0, isListed = false } = props
  const id = useId()
  const isBad = error !== ''
  const isLong = useIsLong(choices, more) && !isListed
  return (
    <div>
      <label className={fieldClasses.label} htmlFor={id} id={`${id}-label`}>
        {props.label}
      </label>
      <div className={classes.select} data-size={36} data-bad={isBad || undefined}>
        {isLong ? (
          <Combobox
            id={id}
            labelId={`${id}-label`}
            label={props.label}
            value={value}
            valueLabel={labelOf(choices, value)}
            choices={choices}
            more={more}
            onType={props.onType}
            onChange={(next) => props.onChange(next as T)}
            onBlur={props.onBlur}
            isBad={isBad}
            describedBy={`${id}-help`}
            isFocused={props['data-autofocus']}
          />
        ) : (
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
              <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
                {choice.label}
              </option>
            ))}
          </select>
        )}
        <Icon name="down" size={13} />
      </div>
      <Help id={`${id}-help`} error={error} hint={props.hint} />
    </div>
  )
}
