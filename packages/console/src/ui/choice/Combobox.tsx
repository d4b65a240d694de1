/**
 * A choice out of a list too long to be listed: shows the first choices, and by typing those that
 * match. The choices are narrowed here, or by who gives `onType`.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Choice } from './Select.tsx'
import classes from './Combobox.module.css'
import { LOCALE } from '../../lib/locale/language.ts'

export interface ComboboxProps {
  /** Of the field: its label's element, and its own where a label names it. */
  labelId: string
  id?: string | undefined
  /** Of the list. */
  label: string
  value: string
  /** Of the chosen one, which need not be among `choices`; '' while it is not known. */
  valueLabel: string
  choices: readonly Choice<string>[]
  /** How many match beside `choices`. */
  more: number
  /** Where somebody else finds what matches; '' when the list closes. */
  onType: ((text: string) => void) | undefined
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  isBad?: boolean | undefined
  describedBy?: string | undefined
  isFocused?: boolean | undefined
}

/** As long as the API's search takes. */
const LONGEST = 200
/** Ten thousand choices open as quickly as ten. */
const DRAWN = 100

export function Combobox(props: ComboboxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useList(props, input)
  const { isOpen, text, options, at } = list
  const { isFocused = false } = props
  useTextSelected(input, isOpen)
  useEffect(() => {
    // It took the place of a short list that had the focus.
    if (isFocused && document.activeElement === document.body) input.current?.focus()
  }, [isFocused])
  return (
    <>
      <input
        ref={input}
        id={props.id}
        role="combobox"
        className={classes.input}
        aria-labelledby={props.labelId}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${at}` : undefined}
        aria-invalid={props.isBad || undefined}
        aria-describedby={props.describedBy}
        data-autofocus={isFocused || undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST}
        placeholder={isOpen ? 'Type to narrow' : undefined}
        value={isOpen ? text : props.valueLabel || '…'}
        onClick={list.open}
        onFocus={(event) => event.target.select()}
        onChange={(event) => list.type(event.target.value)}
        onBlur={() => {
          list.close()
          props.onBlur?.()
        }}
        onKeyDown={list.hear}
      />
      {isOpen && (
        <div ref={keepOnPage} className={classes.list}>
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
                ref={index === at ? intoSight : undefined}
                id={`${id}-${index}`}
                role="option"
                aria-selected={option.value === props.value}
                aria-disabled={option.isDisabled || undefined}
                data-at={index === at || undefined}
                // The focus stays in the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => list.choose(option)}
              >
                {option.label}
              </div>
            ))}
          </div>
          <p className={classes.note} role="status">
            {noteOf(options.length, text, list.more)}
          </p>
        </div>
      )}
    </>
  )
}

/** What is typed next is a new search, and is not added to the name of the choice that stands there. */
function useTextSelected(input: { current: HTMLInputElement | null }, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen && document.activeElement === input.current) input.current?.select()
  }, [input, isOpen])
}

/** The arrows reach more choices than the list shows at once. */
function intoSight(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}

/** Wider than its field, the list goes to where there is room for it; a dialog would cut it off. */
function keepOnPage(list: HTMLElement | null) {
  if (list === null) return
  const dialog = list.closest('[role="dialog"]')
  const place = () => {
    delete list.dataset['side']
    const { top, right } = list.getBoundingClientRect()
    if (right > document.documentElement.clientWidth) list.dataset['side'] = 'left'
    const bottom = dialog?.getBoundingClientRect().bottom ?? innerHeight
    const room = Math.min(bottom, innerHeight) - top
    list.style.setProperty('--room', `${room}px`)
  }
  place()
  addEventListener('resize', place)
  return () => removeEventListener('resize', place)
}

function noteOf(count: number, text: string, more: number): string {
  if (count === 0) return `Nothing matches '${text}'.`
  return more > 0 ? `${more.toLocaleString(LOCALE)} more: type to narrow the list.` : ''
}

/** What is offered for `text`: nothing stands for no filter once something is typed. */
function offered({ choices, value, more, onType }: ComboboxProps, text: string) {
  const wanted = text.trim().toLocaleLowerCase('en')
  const matching = choices.filter((choice) => {
    if (wanted === '') return true
    if (choice.value === '') return false
    const isFound = choice.label.toLocaleLowerCase('en').includes(wanted)
    // Who narrows elsewhere may match by more than the title, save what is only there as chosen.
    return onType === undefined || choice.value === value ? isFound : true
  })
  const options = matching.slice(0, DRAWN)
  return { options, more: more + matching.length - options.length }
}

/** Open or not, what is typed, and which choice Enter takes. */
function useList(props: ComboboxProps, input: { current: HTMLInputElement | null }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { options, more } = offered(props, text)
  const type = (next: string) => {
    setOpen(true)
    setText(next)
    setAt(0)
    props.onType?.(next.trim())
  }
  const open = () => {
    if (!isOpen) type('')
  }
  const close = () => {
    if (!isOpen) return
    setOpen(false)
    setText('')
    props.onType?.('')
  }
  const choose = (option: Choice<string>) => {
    if (option.isDisabled === true) return
    close()
    props.onChange(option.value)
    input.current?.focus()
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, options.length - 1)) : open()),
    ArrowUp: () => (isOpen ? setAt(Math.max(at - 1, 0)) : open()),
    Enter: () => {
      const option = options[at]
      if (!isOpen) open()
      else if (option !== undefined) choose(option)
    },
    Escape: close,
  }
  const hear = (event: KeyboardEvent) => {
    const step = steps[event.key]
    // Escape closes the dialog around a list that is closed already.
    if (step === undefined || (event.key === 'Escape' && !isOpen)) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }
  return {
    isOpen,
    text,
    options,
    more,
    at: Math.min(at, options.length - 1),
    type,
    open,
    close,
    choose,
    hear,
  }
}
