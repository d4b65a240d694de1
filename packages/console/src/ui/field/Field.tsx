/** Labelled text fields. Their line of help is always reserved, so that an error shifts nothing. */
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
  /** Offered while one types; any other text is taken too. */
  suggestions?: readonly string[] | undefined
}

export function Field(props: FieldProps) {
  const { label, error = '', hint, right, size = 36, suggestions, ...rest } = props
  const id = useId()
  const isBad = error !== ''
  return (
    <div className={classes.field} data-size={size}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box} data-bad={isBad || undefined}>
        <input
          list={suggestions === undefined ? undefined : `${id}-suggestions`}
          {...rest}
          id={id}
          className={classes.input}
          aria-invalid={isBad || undefined}
          aria-describedby={`${id}-help`}
        />
        {right}
      </div>
      <Help id={`${id}-help`} error={error} hint={hint} />
      {suggestions !== undefined && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </div>
  )
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string
  error?: string | undefined
  hint?: ReactNode
}

/** Of several lines. */
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
      <Help id={`${id}-help`} error={error} hint={hint} />
    </div>
  )
}

interface HelpProps {
  id?: string
  /** In place of the hint; '' when the field is well. */
  error?: string
  hint?: ReactNode
}

/** Below a field of any kind: what is wrong with it, or what its value means. */
export function Help({ id, error = '', hint }: HelpProps) {
  const isBad = error !== ''
  return (
    <div className={classes.help} id={id} data-help data-bad={isBad || undefined}>
      {isBad ? error : hint}
    </div>
  )
}
