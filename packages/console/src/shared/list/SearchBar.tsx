/**
 * The search of a page: fires by itself past three characters once the typing pauses, on Enter at
 * once and at any length, and empties the search at once when it is cleared (DASH-26, Q20).
 */
import { SEARCH_FIRES_PAST_CHARACTERS } from '@trunkline/contract/paging.schema'
import { useId, useRef, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTypingPause } from '../../lib/typing.hook.ts'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Kbd } from '../../ui/hint/Kbd.tsx'
import classes from './SearchBar.module.css'

interface SearchBarProps {
  /** 'Search encoders'. */
  label: string
  /** What is searched for; where it changes by itself, as by Back, the field follows. */
  searched?: string
  onSearch: (text: string) => void
  /** For a page that offers suggestions: what to suggest for, '' for nothing. */
  onSuggest?: ((text: string) => void) | undefined
  /** Offered under the field; picking one searches for it (Q147). */
  suggestions?: readonly string[] | undefined
}

/** The API takes no longer search (SearchText). */
const LONGEST = 200

export function SearchBar(props: SearchBarProps) {
  const { label, onSuggest, suggestions, searched = '' } = props
  const listId = useId()
  const [text, setText] = useState(searched)
  const [sent, setSent] = useState(searched)
  const [followed, setFollowed] = useState(searched)
  if (searched !== followed) {
    setFollowed(searched)
    // What was asked for from here comes back: the next letters may be typed already.
    if (searched !== sent) setText(searched)
  }
  const onSearch = (wanted: string) => {
    setSent(wanted)
    props.onSearch(wanted)
  }
  const input = useRef<HTMLInputElement>(null)
  const pause = useTypingPause()
  useShortcut('/', () => input.current?.focus())
  function type(next: string): void {
    setText(next)
    const wanted = next.trim()
    pause.drop()
    if (wanted.length <= SEARCH_FIRES_PAST_CHARACTERS) onSuggest?.('')
    if (wanted === '') onSearch('')
    if (wanted.length <= SEARCH_FIRES_PAST_CHARACTERS) return
    pause.await(() => {
      onSuggest?.(wanted)
      onSearch(wanted)
    })
  }
  return (
    <form
      role="search"
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault()
        pause.drop()
        onSearch(text.trim())
      }}
    >
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={LONGEST}
        autoComplete="off"
        list={suggestions === undefined ? undefined : listId}
        spellCheck={false}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (text === '') input.current?.blur()
          else type('')
        }}
      />
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {suggestion}
            </option>
          ))}
        </datalist>
      )}
      {text === '' ? (
        <span className={classes.key} aria-hidden="true">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          type="button"
          className={classes.clear}
          aria-label="Clear search"
          onClick={() => {
            type('')
            input.current?.focus()
          }}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </form>
  )
}
