/**
 * A filter out of a list too long to be listed: shows the first choices, and by typing those that
 * match. Who uses it finds them; '' stands for no filter.
 */
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import type { Choice } from './Select.tsx'
import classes from './TypeAhead.module.css'

interface TypeAheadProps {
  /** 'Input'; shown in front of what is chosen. */
  label: string
  /** 'All inputs'. */
  allLabel: string
  value: string
  /** Of the chosen one, which need not be among `choices`; '' while it is not known. */
  valueLabel: string
  /** That match what is typed. */
  choices: readonly Choice<string>[]
  /** How many more match. */
  more: number
  /** '' when the list closes. */
  onType: (text: string) => void
  onChange: (value: string) => void
}

export function TypeAhead(props: TypeAheadProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useList(props, input)
  const { isOpen, text, options, at } = list
  const shown = props.value === '' ? props.allLabel : props.valueLabel || '…'
  return (
    <div className={classes.filter}>
      <span className={classes.label} id={`${id}-label`}>
        {props.label}
      </span>
      <input
        ref={input}
        role="combobox"
        className={classes.input}
        aria-labelledby={`${id}-label`}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST}
        placeholder={isOpen ? 'Type to narrow' : undefined}
        value={isOpen ? text : shown}
        onClick={list.open}
        onChange={(event) => list.type(event.target.value)}
        onBlur={list.close}
        onKeyDown={list.hear}
      />
      <Icon name="down" size={13} />
      {isOpen && (
        <div className={classes.list}>
          <div
            id={`${id}-list`}
            role="listbox"
            className={classes.options}
            aria-label={props.label}
          >
            {options.map((option, index) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and hears the keys
              <div
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={option.value === props.value}
                data-at={index === at || undefined}
                // The focus stays in the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => list.choose(option.value)}
              >
                {option.label}
              </div>
            ))}
          </div>
          <p className={classes.note} role="status">
            {noteOf(options.length, text, props.more)}
          </p>
        </div>
      )}
    </div>
  )
}

/** As long as the API's search takes. */
const LONGEST = 200

function noteOf(count: number, text: string, more: number): string {
  if (count === 0) return `Nothing matches '${text}'.`
  return more > 0 ? `${more.toLocaleString('en')} more: type to narrow the list.` : ''
}

/** Open or not, what is typed, and which choice Enter takes. */
function useList(props: TypeAheadProps, input: { current: HTMLInputElement | null }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const options =
    text.trim() === '' ? [{ value: '', label: props.allLabel }, ...props.choices] : props.choices
  const type = (next: string) => {
    setOpen(true)
    setText(next)
    setAt(0)
    props.onType(next.trim())
  }
  const open = () => {
    if (!isOpen) type('')
  }
  const close = () => {
    if (!isOpen) return
    setOpen(false)
    setText('')
    props.onType('')
  }
  const choose = (value: string) => {
    close()
    props.onChange(value)
    input.current?.focus()
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, options.length - 1)) : open()),
    ArrowUp: () => (isOpen ? setAt(Math.max(at - 1, 0)) : open()),
    Enter: () => {
      const option = options[at]
      if (!isOpen) open()
      else if (option !== undefined) choose(option.value)
    },
    Escape: close,
  }
  const hear = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    step()
  }
  return {
    isOpen,
    text,
    options,
    at: Math.min(at, options.length - 1),
    type,
    open,
    close,
    choose,
    hear,
  }
}
