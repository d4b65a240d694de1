/** Typed text that is asked for over the network: once per word instead of once per key. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

/** Between the keys of somebody who types; what they type is asked for once (CON-IN-43). */
const TYPING_PAUSE_MS = 300

interface TypingPause {
  /** `go` runs once nothing has been typed for the pause; whatever waited before is dropped. */
  await: (go: () => void) => void
  drop: () => void
}

export function useTypingPause(): TypingPause {
  const later = useDebouncedCallback((go: () => void) => go(), TYPING_PAUSE_MS)
  return { await: later, drop: () => later.cancel() }
}

/** The text to look for, behind what is typed by the pause; cleared text clears it at once. */
export function useTypedSearch(): [searchText: string, onType: (text: string) => void] {
  const [searchText, setSearchText] = useState('')
  const pause = useTypingPause()
  return [
    searchText,
    (text) => {
      if (text === '') {
        pause.drop()
        setSearchText('')
      } else pause.await(() => setSearchText(text))
    },
  ]
}
