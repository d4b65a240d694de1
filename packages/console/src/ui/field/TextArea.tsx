/** A labelled field of several lines, in the look of Field. */
import { useId, type ComponentProps, type ReactNode } from 'react'
import classes from './Field.module.css'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string
  error?: string | undefined
  hint?: ReactNode
}

export function TextArea({ label, error = '', hint, rows = 3, ...rest }: TextAreaProps) {
  const id = useId()
  const isBad = error !== ''
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box} data-lines data-bad={isBad || undefined}>
        <textarea
          {...rest}
          id={id}
          rows={rows}
          className={classes.input}
          aria-invalid={isBad || undefined}
          aria-describedby={`${id}-help`}
        />
      </div>
      <div className={classes.help} id={`${id}-help`} data-bad={isBad || undefined}>
        {isBad ? error : hint}
      </div>
    </div>
  )
}
