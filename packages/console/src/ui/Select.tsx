/**
 * A choice out of a short list. The browser's own select: it works with every keyboard, reader and
 * phone, and costs no script.
 */
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import classes from './Select.module.css'

export interface Choice<T extends string | number> {
  value: T
  label: string
  /** It is listed and cannot be chosen; its label says why. */
  isInert?: boolean | undefined
}

interface SelectProps<T extends string | number> {
  /** Spoken, and shown in front of the value when `isLabelShown`. */
  label: string
  isLabelShown?: boolean | undefined
  choices: readonly Choice<T>[]
  value: T
  onChange: (value: T) => void
  size?: 28 | 32 | 36 | undefined
  className?: string | undefined
  children?: ReactNode
}

export function Select<T extends string | number>(props: SelectProps<T>) {
  const { label, isLabelShown = false, choices, value, onChange, size = 32, className } = props
  return (
    <label className={[classes.select, className].filter(Boolean).join(' ')} data-size={size}>
      <span className={isLabelShown ? classes.label : classes.hidden}>{label}</span>
      <select
        className={classes.native}
        value={String(value)}
        onChange={(event) => {
          const chosen = choices.find((choice) => String(choice.value) === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={String(choice.value)} value={String(choice.value)} disabled={choice.isInert}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={13} />
    </label>
  )
}
