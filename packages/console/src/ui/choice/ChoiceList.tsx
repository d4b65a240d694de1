/**
 * One or several out of many: a list of labelled radio buttons or check boxes with a box that narrows
 * it. Draws at most DRAWN of them, so that ten thousand choices open as quickly as ten.
 */
import { useId, useState } from 'react'
import { Help } from '../field/Field.tsx'
import classes from './ChoiceList.module.css'
import { ListBox, Narrow, NARROWED_FROM } from './ListBox.tsx'
import { LOCALE } from '../../lib/locale/language.ts'

export interface ListedChoice {
  value: string
  label: string
  /** Quieter, to the right: a manager, a role. */
  detail?: string | undefined
}

interface ChoiceListProps {
  label: string
  kind: 'one' | 'many'
  choices: readonly ListedChoice[]
  /** Of `kind` one: none or one. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
  error?: string | undefined
  /** Said when there is nothing to choose. */
  emptyText: string
  /** Of a list that is longer than what was read: how many more match, and where they are found. */
  more?: number | undefined
  onType?: ((text: string) => void) | undefined
}

const DRAWN = 100

export function ChoiceList(props: ChoiceListProps) {
  const { choices, chosen, kind, error = '' } = props
  const id = useId()
  const [text, setText] = useState('')
  const { more = 0, onType } = props
  // Who narrows elsewhere may match by more than what is listed.
  const matching = onType === undefined ? matches(choices, text) : choices
  const drawn = matching.slice(0, DRAWN)
  const hidden = more + matching.length - drawn.length
  const isNarrowed = choices.length >= NARROWED_FROM || more > 0 || text !== ''
  const narrow = (next: string) => {
    setText(next)
    onType?.(next.trim())
  }
  const isBad = error !== ''
  const toggle = (value: string) => {
    if (kind === 'one') props.onChange([value])
    else if (chosen.includes(value)) props.onChange(chosen.filter((item) => item !== value))
    else props.onChange([...chosen, value])
  }
  return (
    <ListBox
      label={
        <>
          {props.label}
          {kind === 'many' && chosen.length > 0 && ` (${chosen.length})`}
        </>
      }
      isBad={isBad}
      describedBy={`${id}-help`}
      help={<Help id={`${id}-help`} error={error} />}
    >
      {isNarrowed && (
        <Narrow
          aria-label={`Narrow ${props.label}`}
          placeholder="Narrow the list"
          value={text}
          onChange={narrow}
          onKeyDown={(event) => {
            // Enter narrows; it does not save the form around the list.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      )}
      <ul className={classes.list}>
        {drawn.map((choice) => (
          <li key={choice.value}>
            <label className={classes.choice}>
              <input
                type={kind === 'one' ? 'radio' : 'checkbox'}
                name={id}
                checked={chosen.includes(choice.value)}
                onChange={() => toggle(choice.value)}
              />
              <span className={classes.name}>{choice.label}</span>
              {choice.detail !== undefined && (
                <span className={classes.detail}>{choice.detail}</span>
              )}
            </label>
          </li>
        ))}
      </ul>
      {drawn.length === 0 && (
        <p className={classes.note}>
          {text.trim() === '' ? props.emptyText : `Nothing matches '${text}'.`}
        </p>
      )}
      {hidden > 0 && (
        <p className={classes.note}>
          {hidden.toLocaleString(LOCALE)} more: type to narrow the list.
        </p>
      )}
    </ListBox>
  )
}

function matches(choices: readonly ListedChoice[], text: string): readonly ListedChoice[] {
  const wanted = text.trim().toLocaleLowerCase('en')
  if (wanted === '') return choices
  return choices.filter((choice) =>
    `${choice.label}\n${choice.detail ?? ''}`.toLocaleLowerCase('en').includes(wanted),
  )
}
