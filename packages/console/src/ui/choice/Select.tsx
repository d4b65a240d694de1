/**
 * A choice out of a list. A short one is the browser's own select: it works with every keyboard,
 * reader and phone. A long one is found by typing.
 */
import { useState, type ReactNode } from 'react'
import { Icon } from '../symbol/Icon.tsx'
import classes from './Select.module.css'
import { TypeAhead } from './TypeAhead.tsx'

export interface Choice<T extends string | number> {
  value: T
  label: string
  /** It is listed and cannot be chosen; its label says why. */
  isDisabled?: boolean | undefined
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
  /** Of a list that is longer than what was read: how many more match, and where they are found. */
  more?: number | undefined
  onType?: ((text: string) => void) | undefined
}

/** More than this are found by typing rather than by looking. */
const LISTED = 24

/** Once long it stays so, while what is typed makes it short. */
export function useIsLong(choices: readonly unknown[], more: number): boolean {
  const [wasLong, setWasLong] = useState(false)
  const isLong = choices.length > LISTED || more > 0
  if (isLong && !wasLong) setWasLong(true)
  return isLong || wasLong
}

export function labelOf<T>(choices: readonly Choice<T & (string | number)>[], value: T): string {
  return choices.find((choice) => choice.value === value)?.label ?? ''
}

export function Select<T extends string | number>(props: SelectProps<T>) {
  const { choices, value, more = 0 } = props
  if (!useIsLong(choices, more)) return <ShortSelect {...props} />
  return (
    <TypeAhead
      label={props.label}
      allLabel={null}
      value={String(value)}
      valueLabel={labelOf(choices, value)}
      choices={choices.map((choice) => ({ ...choice, value: String(choice.value) }))}
      more={more}
      onType={props.onType}
      onChange={(next) => {
        const chosen = choices.find((choice) => String(choice.value) === next)
        if (chosen) props.onChange(chosen.value)
      }}
    />
  )
}

function ShortSelect<T extends string | number>(props: SelectProps<T>) {
  const { label, isLabelShown = false, choices, value, onChange, size = 32, className } = props
  // 'All groups' says what it is a choice of; a phone has no room for both.
  const isNamed = labelOf(choices, value).toLowerCase().includes(label.toLowerCase())
  return (
    <label
      className={[classes.select, className].filter(Boolean).join(' ')}
      data-size={size}
      data-named={isNamed || undefined}
    >
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
          <option
            key={String(choice.value)}
            value={String(choice.value)}
            disabled={choice.isDisabled}
          >
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={13} />
    </label>
  )
}
