/** The frame around a list to choose from: its name, a box, and at the box's head what narrows it. */
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../symbol/Icon.tsx'
import classes from './ListBox.module.css'

interface ListBoxProps {
  label: ReactNode
  isBad?: boolean
  isDisabled?: boolean
  describedBy?: string | undefined
  /** Stands in the frame. */
  children: ReactNode
  /** Stands below it. */
  help?: ReactNode
}

export function ListBox({ label, isBad = false, isDisabled = false, ...props }: ListBoxProps) {
  return (
    <fieldset className={classes.field} disabled={isDisabled} aria-describedby={props.describedBy}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.box} data-bad={isBad || undefined}>
        {props.children}
      </div>
      {props.help}
    </fieldset>
  )
}

/** Fewer are overlooked at a glance. */
export const NARROWED_FROM = 9

interface NarrowProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  value: string
  onChange: (text: string) => void
}

export function Narrow({ onChange, ...props }: NarrowProps) {
  return (
    <div className={classes.narrow}>
      <Icon name="search" size={14} />
      <input
        {...props}
        type="search"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
