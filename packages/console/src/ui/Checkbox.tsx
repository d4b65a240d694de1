/** A tick without a label of its own in sight: of a row, or of all rows. */
import type { ComponentProps } from 'react'
import classes from './Checkbox.module.css'
import { useMixed } from './mixed.hook.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'ref'> {
  /** Names the object: 'Select Marathon km 30'. */
  label: string
  checked: boolean
  /** Some, but not all of what it stands for. */
  isMixed?: boolean
  /** `isRange`: with Shift, from the last tick up to this one. */
  onChange: (checked: boolean, isRange: boolean) => void
}

export function Checkbox({ label, isMixed = false, onChange, ...rest }: CheckboxProps) {
  const input = useMixed(isMixed)
  return (
    <label className={classes.box}>
      <input
        {...rest}
        ref={input}
        type="checkbox"
        aria-label={label}
        onChange={(event) => {
          const cause = event.nativeEvent
          onChange(event.target.checked, cause instanceof MouseEvent && cause.shiftKey)
        }}
      />
    </label>
  )
}
