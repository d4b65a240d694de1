/** Mantine's check box in our look: with a label of its caller's, or without one in sight. */
import { Checkbox as MantineCheckbox, type CheckboxProps as MantineProps } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import classes from './Checkbox.module.css'

interface TickProps extends Omit<MantineProps, 'onChange' | 'indeterminate'> {
  checked: boolean
  /** Some, but not all of what it stands for. */
  isMixed?: boolean
  /** `isRange`: with Shift, from the last tick up to this one. */
  onChange: (checked: boolean, isRange: boolean) => void
}

/** Its caller's label stands beside it. */
export function Tick({ isMixed = false, onChange, ...rest }: TickProps) {
  return (
    <MantineCheckbox
      size="16px"
      radius={4}
      color="var(--ink)"
      iconColor="var(--on-ink)"
      className={classes.tick ?? ''}
      classNames={{ input: classes.input ?? '' }}
      {...rest}
      indeterminate={isMixed}
      onChange={(event) => {
        const cause = event.nativeEvent
        onChange(event.target.checked, cause instanceof MouseEvent && cause.shiftKey)
      }}
    />
  )
}

interface CheckboxProps extends Omit<TickProps, 'label'> {
  /** Names the object: 'Select Marathon km 30'. */
  label: string
}

/** Of a row, or of all rows: its label is spoken only. */
export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- it stands around it
    <label className={classes.box}>
      <Tick {...rest} aria-label={label} />
    </label>
  )
}
