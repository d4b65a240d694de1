/** A labelled text field. Its one line of help is always reserved, so that an error shifts nothing. */
import { useId, type ComponentProps, type ReactNode } from 'react'
import classes from './Field.module.css'

interface FieldProps extends Omit<ComponentProps<'input'>, 'size' | 'id'> {
  label: string
  /** A sentence; '' when the field is well. */
  error?: string | undefined
  hint?: ReactNode
  /** Inside the field on the right: a unit, or a button. */
  right?: ReactNode
  size?: 36 | 44 | undefined
}

export function Field({ label, error = '', hint, right, size = 36, ...rest }: FieldProps) {
  const id = useId()
  const isBad = error !== ''
  return (
    <div className={classes.field} data-size={size}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box} data-bad={isBad || undefined}>
        <input
          {...rest}
          id={id}
          className={classes.input}
          aria-invalid={isBad || undefined}
          aria-describedby={`${id}-help`}
        />
        {right}
      </div>
      <div className={classes.help} id={`${id}-help`} data-bad={isBad || undefined}>
        {isBad ? error : hint}
      </div>
    </div>
  )
}
